#include "tests/indexer/model/model_kinds.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "mapping/mapping.h"

namespace fensi::testing {
namespace {

const ShownValue* At(const ShownRow& row, const std::string& qualifier) {
  const auto found = row.find(qualifier);
  return found == row.end() ? nullptr : &found->second;
}

std::string Place(const std::string& row, const std::string& qualifier) { return "inverse " + row + " f:" + qualifier; }
std::string Turned(const std::string& row) { return {row.rbegin(), row.rend()}; }
int64_t Newest(const ShownValue* a, const ShownValue* b) {
  return std::max(a == nullptr ? 0 : a->timestamp, b == nullptr ? 0 : b->timestamp);
}

using DerivedEntries = std::vector<DerivedEntry>;

ModelKind RowKind() {
  return {"row", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:k}' }\n",
          [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
            if (const auto* k = At(shown, "k")) out->push_back({Place(k->value, row), k->value, k->timestamp});
          }};
}

ModelKind RowOfTwoKind() {
  return {"row-of-two", "    row: '{f:k | without -}-{f:m}'\n    columns: { 'f:{row}': '{f:m@ts | decimal}' }\n",
          [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
            const auto *k = At(shown, "k"), *m = At(shown, "m");
            if (k == nullptr || m == nullptr) return;
            out->push_back({Place(k->value + "-" + m->value, row), std::to_string(m->timestamp), Newest(k, m)});
          }};
}

ModelKind DefaultKind() {
  ModelKind kind{"default", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}' }\n",
                 [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
                   const auto *k = At(shown, "k"), *v = At(shown, "v");
                   if (k == nullptr) return;
                   out->push_back({Place(k->value, row), v == nullptr ? "none" : v->value, Newest(k, v)});
                 }};
  kind.absence_counts = true;
  return kind;
}

ModelKind NotKind() {
  ModelKind kind{"not", "    row: '{f:k}'\n    columns: { 'f:{row}': '' }\n    when: ['not {f:m}']\n",
                 [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
                   const auto* k = At(shown, "k");
                   if (k != nullptr && At(shown, "m") == nullptr) {
                     out->push_back({Place(k->value, row), "", k->timestamp});
                   }
                 }};
  kind.absence_counts = true;
  return kind;
}

ModelKind OrKind() {
  ModelKind kind{
      "or", "    row: '{f:k}'\n    columns: { 'f:{row}': '' }\n    when: ['{f:m} == a or {f:v} == b']\n",
      [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
        const auto *k = At(shown, "k"), *m = At(shown, "m"), *v = At(shown, "v");
        const bool one = m != nullptr && m->value == "a", other = v != nullptr && v->value == "b";
        if (k == nullptr || !(one || other)) return;
        out->push_back({Place(k->value, row), "", std::max(k->timestamp, one ? m->timestamp : v->timestamp)});
      }};
  kind.absence_counts = true;
  return kind;
}

ModelKind TwoRulesKind() {
  return {"two-rules", "    row: '{f:k}'\n    columns: { 'f:a{row}': '{f:v}', 'f:b{row}': '{f:m}' }\n",
          [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
            const auto *k = At(shown, "k"), *v = At(shown, "v"), *m = At(shown, "m");
            if (k == nullptr) return;
            if (v != nullptr) out->push_back({Place(k->value, "a" + row), v->value, Newest(k, v)});
            if (m != nullptr) out->push_back({Place(k->value, "b" + row), m->value, Newest(k, m)});
          }};
}

ModelKind ColumnKind() {
  return {"column", "    row: '{row | reverse}'\n    columns: { 'f:k': '{f:k}' }\n",
          [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
            if (const auto* k = At(shown, "k")) out->push_back({Place(Turned(row), "k"), k->value, k->timestamp});
          }};
}

ModelKind EachKind() {
  ModelKind kind{"each", "    each: f:*\n    row: '{qualifier}'\n    columns: { 'f:{row}': '{value}' }\n",
                 [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
                   for (const auto& [name, cell] : shown)
                     out->push_back({Place(name, row), cell.value, cell.timestamp});
                 }};
  kind.column_units = true;
  return kind;
}

ModelKind EachValueKind() {
  ModelKind kind{"each-value",
                 "    each: f:*\n    row: '{value}'\n    columns: { 'f:{row | without .}.{qualifier}': '' }\n",
                 [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
                   for (const auto& [name, cell] : shown) {
                     out->push_back({Place(cell.value, row + "." + name), "", cell.timestamp});
                   }
                 }};
  kind.column_units = true;
  return kind;
}

ModelKind EachWhenKind() {
  return {"each-when",
          "    each: f:*\n    row: '{value}'\n    columns: { 'f:{row | without .}.{qualifier}': '' }\n"
          "    when: ['{f:m} != a']\n",
          [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
            const auto* m = At(shown, "m");
            if (m == nullptr || m->value == "a") return;
            for (const auto& [name, cell] : shown) {
              out->push_back({Place(cell.value, row + "." + name), "", Newest(m, &cell)});
            }
          }};
}

ModelKind PatternKind() {
  ModelKind kind{"pattern",
                 "    each: f:k*\n    row: '{value}'\n    columns: { 'f:{row | without .}.{qualifier}': '' }\n",
                 [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
                   for (const auto& [name, cell] : shown) {
                     if (name.front() == 'k') out->push_back({Place(cell.value, row + "." + name), "", cell.timestamp});
                   }
                 }};
  kind.column_units = true;
  return kind;
}

ModelKind ListKind() {
  return {"list", "    each: '{f:k | split \",\"}'\n    row: '{item}'\n    columns: { 'f:{row}': '{f:k}' }\n",
          [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
            const auto* k = At(shown, "k");
            if (k == nullptr) return;
            std::istringstream items(k->value);
            for (std::string item; std::getline(items, item, ',');) {
              out->push_back({Place(item, row), k->value, k->timestamp});
            }
          }};
}

ModelKind UniqueKind() {
  ModelKind kind{"unique", "    row: '{f:k}'\n    columns: { 'f:r': '{row}' }\n    unique: true\n",
                 [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
                   if (const auto* k = At(shown, "k")) out->push_back({Place(k->value, "r"), row, k->timestamp});
                 }};
  kind.unique = true;
  return kind;
}

ModelKind UniqueOfTwoKind() {
  ModelKind kind{"unique-of-two",
                 "    row: '{f:k}'\n    columns: { 'f:r': '{row}', 'f:{f:v}': '{row}' }\n    unique: true\n",
                 [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
                   const auto *k = At(shown, "k"), *v = At(shown, "v");
                   if (k == nullptr || v == nullptr) return;
                   out->push_back({Place(k->value, "r"), row, Newest(k, v)});
                   out->push_back({Place(k->value, v->value), row, Newest(k, v)});
                 }};
  kind.unique = true;
  return kind;
}

ModelKind UniqueDefaultKind() {
  ModelKind kind = DefaultKind();
  kind.name = "unique-default";
  kind.body += "    unique: true\n";
  kind.unique = true;
  return kind;
}

ModelKind SharedKind() {
  ModelKind kind{"shared", "    row: '{f:k}'\n    columns: { 'f:': '{f:k}' }\n    shared: true\n",
                 [](const std::string&, const ShownRow& shown, DerivedEntries* out) {
                   if (const auto* k = At(shown, "k")) out->push_back({Place(k->value, ""), k->value, k->timestamp});
                 }};
  kind.shared = true;
  return kind;
}

/// Values of f:m name the table; all lie within `retention:`.
ModelKind PeriodKind() {
  ModelKind kind{
      "period", "    retention: 20000d\n    row: '{f:k}'\n    columns: { 'f:{row}': '{f:k}' }\n",
      [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
        const auto *k = At(shown, "k"), *m = At(shown, "m");
        if (k == nullptr || m == nullptr) return;
        const std::string table = "inverse" + std::string(m->value == "a" ? "40" : m->value == "b" ? "41" : "42");
        out->push_back({table + " " + k->value + " f:" + row, k->value, Newest(k, m)});
      }};
  kind.table =
      "'inverse{f:m | replace a 1000000000000 | replace b 1000000001000 | replace c 1000000002000 | "
      "int | from_ms | time %S}'";
  return kind;
}

ModelKind Stateless(std::string name, ModelKind kind) {
  kind.name = std::move(name);
  kind.body += "    mode: stateless\n";
  kind.stateless = kind.column_units = true;
  return kind;
}

ModelKind WhenKind() {
  return {"when", "    row: '{row | reverse}'\n    columns: { 'f:x': '' }\n    when: ['{f:k} != a']\n",
          [](const std::string& row, const ShownRow& shown, DerivedEntries* out) {
            const auto* k = At(shown, "k");
            if (k != nullptr && k->value != "a") out->push_back({Place(Turned(row), "x"), "", k->timestamp});
          }};
}

ModelKind Converted(std::string name, ModelKind kind) {
  kind = Stateless(std::move(name), std::move(kind));
  kind.converted = true;
  return kind;
}

std::shared_ptr<const mapping::Index> Compile(const ModelSetting& setting, const std::string& body) {
  const ModelKind& kind = KindNamed(setting.kind);
  std::string text = "source: source\nindexes:\n  inverse:\n    table: " + kind.table + "\n" + body;
  if (setting.index_ttl_s > 0) {
    const std::string min = setting.min_versions > 0 ? ", min_versions: " + std::to_string(setting.min_versions) : "";
    text += "    create: { families: { f: { ttl: " + std::to_string(setting.index_ttl_s) + "s" + min + " } } }\n";
  }
  if (setting.exact) text += "    expire: exact\n";
  mapping::Diagnostics diagnostics;
  const std::vector<mapping::Mapping> loaded = mapping::Load({{"model.yaml", text}}, &diagnostics);
  if (!loaded.empty()) return loaded.front().indexes.front();
  const bool refused = std::any_of(diagnostics.all().begin(), diagnostics.all().end(), [](const auto& found) {
    return found.code == "expire-min-versions" || found.code == "shared-min-versions";
  });
  if (refused) return nullptr;
  throw std::logic_error(diagnostics.Text());
}

std::shared_ptr<const mapping::Index> Cached(const ModelSetting& setting, bool before) {
  static std::map<std::string, std::shared_ptr<const mapping::Index>>* const known =
      new std::map<std::string, std::shared_ptr<const mapping::Index>>();
  const std::string name = setting.Text() + (before ? " before" : "");
  const auto found = known->find(name);
  if (found != known->end()) return found->second;
  std::string body = KindNamed(setting.kind).body;
  const std::string stateless = "mode: stateless";
  if (before) body.replace(body.find(stateless), stateless.size(), "mode: stateful");
  return (*known)[name] = Compile(setting, body);
}

}  // namespace

bool Watches(const ModelKind& kind, const Cell& cell) {
  return kind.watched.empty() || IsFamilyMarker(cell.type) ||
         std::find(kind.watched.begin(), kind.watched.end(), cell.qualifier) != kind.watched.end();
}

const std::vector<ModelKind>& AllKinds() {
  const auto watching = [](std::vector<std::string> columns, ModelKind kind) {
    kind.watched = std::move(columns);
    return kind;
  };
  static const std::vector<ModelKind>* const kinds =
      new std::vector<ModelKind>{watching({"k"}, RowKind()),
                                 watching({"k", "m"}, RowOfTwoKind()),
                                 watching({"k", "v"}, DefaultKind()),
                                 watching({"k", "m"}, NotKind()),
                                 OrKind(),
                                 TwoRulesKind(),
                                 watching({"k"}, ColumnKind()),
                                 EachKind(),
                                 EachValueKind(),
                                 EachWhenKind(),
                                 watching({"k", "k2"}, PatternKind()),
                                 watching({"k"}, ListKind()),
                                 watching({"k"}, UniqueKind()),
                                 watching({"k", "v"}, UniqueOfTwoKind()),
                                 watching({"k", "v"}, UniqueDefaultKind()),
                                 watching({"k"}, SharedKind()),
                                 watching({"k", "m"}, PeriodKind()),
                                 watching({"k"}, Stateless("stateless", ColumnKind())),
                                 watching({"k"}, Stateless("stateless-when", WhenKind())),
                                 Stateless("stateless-each", EachKind()),
                                 watching({"k"}, Converted("converted", ColumnKind())),
                                 watching({"k"}, Converted("converted-when", WhenKind())),
                                 Converted("converted-each", EachKind())};
  return *kinds;
}

const ModelKind& KindNamed(const std::string& name) {
  for (const ModelKind& kind : AllKinds()) {
    if (kind.name == name) return kind;
  }
  throw std::logic_error("no kind of index is called " + name);
}

std::string ModelSetting::Text() const {
  std::ostringstream text;
  text << "setting " << kind << " source=" << has_source << " source_ttl=" << source_ttl_s
       << " index_ttl=" << index_ttl_s << " exact=" << exact << " min_versions=" << min_versions
       << " versions=" << versions << " keep_deleted=" << keep_deleted << " sequence_ids=" << sequence_ids
       << " read_points=" << read_points;
  return text.str();
}

std::shared_ptr<const mapping::Index> IndexOf(const ModelSetting& setting) { return Cached(setting, false); }
std::shared_ptr<const mapping::Index> IndexBeforeOf(const ModelSetting& setting) { return Cached(setting, true); }

}  // namespace fensi::testing
