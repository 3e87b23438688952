#include "tests/mapping/random_mapping.h"

#include <cstdlib>
#include <set>

#include "mapping/mapping.h"
#include "mapping/packed/schemas.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

std::string AnArgument(Dice* dice, const Parameter& parameter) {
  switch (parameter.kind) {
    case Kind::kCount:
      return dice->Text({"1", "2", "3", "4", "8", "9", "13", "16", "20"});
    case Kind::kIndex:
      return dice->Text({"0", "1", "2", "3", "60"});
    case Kind::kWidth:
      return dice->Text({"1", "2", "4", "8"});
    case Kind::kNumber:
      return dice->Text({"-1", "0", "1", "7", "-5", "3600", "-9223372036854775808"});
    case Kind::kDivisor:
      return dice->Text({"1", "2", "10", "16", "3600", "4096", "1152921504606846976"});
    case Kind::kText:
      return dice->Text({"\"-\"", "a", "\",\"", "\\x00", "\"ab\"", ".", "b", "1"});
    case Kind::kAnyText:
      return dice->Text({"\"-\"", "a", "\"\"", "\\x00", "\"ab\"", "\"x1\""});
    case Kind::kByte:
      return dice->Text({"0", "\"-\"", "a", "b", "A", "\\x00", "\\x01", "x", "\" \""});
    case Kind::kRegex:
      return dice->Text({"/\\d+/", "/(a|-)/", "/^.{2}/", "/[ab]+/"});
    case Kind::kGroup:
      return "0";
    case Kind::kFormat:
    case Kind::kReadFormat:
      return dice->Text({"%Y%m%d", "%Y-%m-%d", "%d.%m.%Y", "%H%M", "%m-%d", "%Y%m%d%H%M%S%L", "%Y%j", "%j", "%y%m%d",
                         "%Y%m%d%H%M%S"});
    case Kind::kZone:
      return dice->Text({"UTC", "+08:00", "-01:30", "Test/Half"});
    case Kind::kMessage:
      return dice->Text({"example.VisitorsInfo", "example.Visitor"});
    case Kind::kFieldPath:
      return dice->Text({"requests", "type", "visitor.0.type", "visitor.0.requests", "visitor.0", "visitor"});
    default:
      return "x";
  }
}

// What people write; the whole table is tried beside it.
std::string UsualStep(Dice* dice, Type type) {
  if (type == Type::kBytes) {
    return dice->Text({" | terminated", " | without \"-\"", " | without a", " | fixed 2", " | fixed 1", " | hex",
                       " | int", " | i64", " | md5", " | crc32 | hex", " | lower", " | split \"-\" 0", " | default a",
                       " | u32", " | parse_time %Y-%m-%d", " | md5 | first 8", " | int | mod 4 | decimal 1"});
  }
  if (type == Type::kInteger) {
    return dice->Text({" | decimal 13", " | to_be 8", " | ordered", " | descending", " | from_ms", " | decimal",
                       " | mod 16", " | default 7", " | decimal | pad 13 0"});
  }
  return dice->Text({" | time %Y%m%d", " | decimal 13", " | descending", " | seconds", " | to_be 8", " | ordered"});
}

std::string RandomStep(Dice* dice, Type type) {
  if (dice->OneIn(2)) return UsualStep(dice, type);
  std::vector<const Function*> candidates;
  for (const Function& function : Functions()) {
    if ((function.inputs & Takes(type)) != 0) candidates.push_back(&function);
  }
  const Function& function = *dice->Of(candidates);
  std::string step = " | " + std::string(function.name);
  for (const Parameter& parameter : function.parameters) {
    if (parameter.optional && function.name != "split" && dice->OneIn(2)) break;
    step += " " + AnArgument(dice, parameter);
  }
  return step;
}

std::optional<Type> TypeOf(const std::string& reference, const std::string& steps) {
  // References of `each:` have the types of columns.
  const std::string known = reference == "ts" ? "f:a@ts" : reference.find(':') == std::string::npos ? "row" : reference;
  std::vector<Slot> slots;
  const std::optional<Template> compiled = CompileWithProtos("{" + known + steps + "}", &slots);
  if (!compiled) return std::nullopt;
  return compiled->parts[0].shape.type;
}

bool IsTime(const std::string& reference) { return reference == "ts" || reference.ends_with("@ts"); }

std::string ListPart(Dice* dice) {
  return dice->Text({"{f:a | split \",\"}", "{f:a | split \"-\"}", "{f:b | json_list t}", "{f:a | split ab}",
                     "{f:c | proto example.VisitorsInfo visitor}"});
}

/// References that the templates of an index with this `each:` may use.
std::vector<std::string> ReferencesOf(Dice* dice, std::string* each) {
  std::vector<std::string> references = {"row", "row", "f:a", "f:b", "f:a@ts", "f:c", "g:a"};
  const size_t kind = dice->Below(10);
  if (kind < 3) {
    const std::vector<std::string> names = {"row", "row", "qualifier", "qualifier", "value", "ts", "family", "f:a"};
    references = names;
    *each = "each: " + dice->Text({"f:*", "f:a*", "['f:*', 'g:*']", "['f:*', 'fa:*']"});
  } else if (kind < 5) {
    references.insert(references.end(), {"item", "item", "item"});
    *each = "each: '" + ListPart(dice) + "'";
  }
  return references;
}

std::string RandomCondition(Dice* dice) {
  return dice->Text({"'{f:b}'", "'{f:a | int | default 7} >= 5'", "'{f:a | default a} != b'", "'{f:a | first 1} == a'",
                     "'{f:a@ts} < 1000000'"});
}

void AddOptions(Dice* dice, std::string* file) {
  const auto maybe = [&](size_t chance, const std::string& line) {
    if (dice->OneIn(chance)) *file += "    " + line + "\n";
  };
  maybe(6, "when: [ " + RandomCondition(dice) + " ]");
  maybe(6, "exists: " + dice->Text({"f:b", "f:a"}));
  const std::string shares = dice->Text({"shared: true", "unique: true"});
  maybe(12, shares);
  maybe(8, "expire: exact");
  *file += "    create: { families: { f: { ttl: 60d }, g: { ttl: 60d } }";
  *file += dice->OneIn(4) ? ", split: { hex: 4 } }\n" : " }\n";
}

// Few and simple parts: most of what keeps rows apart, or fails to, lies at the borders of parts.
std::string BareMapping(Dice* dice) {
  const bool each = dice->OneIn(3);
  const auto part = [&] {
    return each ? dice->Text({"{row}", "{qualifier}", "{qualifier | terminated}", "{row | terminated}", "a",
                              "{value | terminated}", "{family}", "{value | fixed 1}"})
                : dice->Text({"{row}", "{row}", "{f:a}", "{f:a | terminated}", "{row | terminated}", "{f:a | fixed 1}",
                              "{f:a | without a | upper}A", "{f:b | without \"-\"}-", "a", "b"});
  };
  const auto parts = [&](size_t least) {
    std::string text;
    for (size_t left = least + dice->Below(3); left > 0; --left) text += part();
    return text;
  };
  std::string file = "source: t\nindexes:\n  x:\n    table: x_table\n    exists: f:a\n";
  if (each)
    file = "source: t\nindexes:\n  x:\n    table: x_table\n    each: " + dice->Text({"f:*", "['f:*', 'fa:*']"}) + "\n";
  const std::string first = parts(0);
  const std::string second = parts(0);
  file += "    row: '" + parts(1) + "'\n    columns:\n      'f:" + first + "': ''\n";
  if (second != first && dice->OneIn(2)) file += "      'f:" + second + "': ''\n";
  return file;
}

}  // namespace

int Runs(int otherwise) {
  if (const char* wanted = std::getenv("FENSI_MAPPINGS")) return std::atoi(wanted);
#if defined(__SANITIZE_THREAD__) || defined(FENSI_SANITIZED)
  return otherwise / 20;
#else
  return otherwise;
#endif
}

std::optional<Template> CompileWithProtos(const std::string& text, std::vector<Slot>* slots) {
  static const std::shared_ptr<const ProtoSchemas> schemas = [] {
    const auto made = std::make_shared<ProtoSchemas>();
    const auto none = [](const std::string& name) { return Result<std::string>(Status(StatusCode::kNotFound, name)); };
    const Status added = made->Add("visitors.proto", ReadFile(InTree("deploy/examples/visitors.proto")), none);
    if (!added.ok()) std::abort();
    return made;
  }();
  Diagnostics diagnostics;
  const MappingText file{"test", ""};
  Reporter reporter(file, &diagnostics);
  TemplateCompiler compiler(&reporter, {&TestEnvironment(), schemas});
  Node node;
  node.kind = Node::Kind::kText;
  node.quote = Quote::kSingle;
  node.text = text;
  std::optional<Template> compiled = compiler.CompileAnyType(node);
  *slots = compiler.slots();
  return compiled;
}

std::string RandomPart(Dice* dice, const std::string& reference) {
  std::string steps;
  Type type = IsTime(reference) ? Type::kTime : Type::kBytes;
  for (size_t left = dice->OneIn(2) ? 0 : dice->Below(5); left > 0; --left) {
    const std::string more = steps + RandomStep(dice, type);
    const std::optional<Type> next = TypeOf(reference, more);
    if (!next || *next == Type::kList) continue;
    steps = more;
    type = *next;
  }
  if (type != Type::kBytes) steps += dice->Text({" | to_be 8", " | decimal", " | ordered", " | decimal 13"});
  return "{" + reference + steps + "}";
}

std::string RandomTemplate(Dice* dice, const std::vector<std::string>& references) {
  std::string text;
  for (size_t left = dice->Below(3) + 1; left > 0; --left) {
    std::string part = RandomPart(dice, dice->Of(references));
    const size_t end = dice->Below(6);  // often one that keeps the parts apart
    if (end == 0) part.insert(part.size() - 1, " | terminated");
    if (end == 1) part.insert(part.size() - 1, " | without \"-\"");
    text += part + (end == 1 ? "-" : dice->Text({"", "", "-", "\\x00", "a", "A"}));
  }
  return text;
}

std::string RandomMapping(Dice* dice) {
  if (dice->OneIn(3)) return BareMapping(dice);
  std::string each;
  const std::vector<std::string> references = ReferencesOf(dice, &each);
  std::string file = "source: t\nprotos: [visitors.proto]\nindexes:\n  x:\n";
  const bool period = dice->OneIn(8);
  const std::string time = dice->Text({"f:a@ts | time %Y%m%d", "f:b | int | from_ms | time %Y%m"});
  file += period ? "    table: 'x_{" + time + "}'\n    keep: 30d\n" : "    table: x_table\n";
  if (!each.empty()) file += "    " + each + "\n";
  const std::string salt =
      dice->OneIn(6) ? "{row | crc32 | u32 | mod 4 | " + dice->Text({"to_be 1}", "decimal 1}"}) : "";
  file += "    row: '" + salt + RandomTemplate(dice, references) + "'\n    columns:\n";
  std::set<std::string> columns;
  for (size_t left = dice->Below(3) + 1; left > 0; --left) {
    const std::string name = dice->Text({"f:", "f:", "g:"}) + dice->Text({"", "", "a", "b", "ab"}) +
                             (dice->OneIn(4) ? "" : RandomTemplate(dice, references));
    if (!columns.insert(name).second) continue;
    const std::string value = dice->OneIn(3) ? "" : RandomTemplate(dice, references);
    file += "      '" + name + "': '" + value + "'\n";
  }
  AddOptions(dice, &file);
  return file;
}

std::shared_ptr<const Index> LoadText(const std::string& file) {
  Diagnostics diagnostics;
  const std::vector<Mapping> mappings = Load({{"test.yaml", file}}, &diagnostics, TestEnvironment());
  return mappings.empty() ? nullptr : mappings[0].indexes[0];
}

std::vector<VisibleCell> SourceRow::View() const {
  std::vector<VisibleCell> view;
  for (const SourceCell& cell : cells) view.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value});
  return view;
}

const SourceCell* SourceRow::Find(std::string_view family, std::string_view qualifier) const {
  for (const SourceCell& cell : cells) {
    if (cell.family == family && cell.qualifier == qualifier) return &cell;
  }
  return nullptr;
}

std::string RandomValue(Dice* dice) {
  static const std::vector<std::string> kPieces = {
      "a", "b", "-", std::string(1, '\0'), "\x01", "A", ".", "x", "\xff", ",", "0", "1", "ab", " "};
  std::string text;
  switch (dice->Below(12)) {
    case 0:
      return std::to_string(dice->Number());
    case 1:
      return dice->Text({"", "", "+", "0"}) + std::to_string(dice->Below(100'000));
    case 2:
      return std::to_string(dice->Number() >> 22 & 0x1ff'ffff'ffff);
    case 3:
      return "2016-12-" + std::to_string(110 + dice->Below(19)).substr(1);
    case 4:
      return dice->Text({"{\"t\": [\"a\", \"ab\", 1]}", "{\"t\": [\"b\"], \"a\": 5}", "[\"-\"]"});
    case 5:
      return std::string("\x0A\x04\x08\x05\x30\x02", 6) + (dice->OneIn(2) ? std::string("\x0A\x02\x08\x07") : "");
    case 6:
      for (size_t left = dice->OneIn(2) ? 8 : 4; left > 0; --left) text += static_cast<char>(dice->Below(256));
      return text;
    case 7:
      return std::string(7, '\0') + static_cast<char>(dice->Below(256));
    default:
      for (size_t left = dice->Below(5); left > 0; --left) text += dice->Of(kPieces);
      return text;
  }
}

namespace {

std::string Joined(Dice* dice, const std::vector<std::string>& pieces, size_t most) {
  std::string text;
  for (size_t left = dice->Below(most + 1); left > 0; --left) text += dice->Of(pieces);
  return text;
}

// Two short pieces, of which everything is made; or a few values of all kinds and what is made of them.
std::vector<std::string> Pool(Dice* dice) {
  if (!dice->OneIn(3))
    return {dice->Text({"a", "b", "x"}), dice->OneIn(3) ? RandomValue(dice) : dice->Text({"a", "A", "-", "ab", "b"})};
  std::vector<std::string> pool;
  for (int i = 0; i < 4; ++i) pool.push_back(RandomValue(dice));
  pool.push_back(pool[1].substr(0, pool[1].size() / 2));
  return pool;
}

}  // namespace

std::vector<SourceRow> RandomRows(Dice* dice, size_t count) {
  const std::vector<std::string> pool = Pool(dice);
  const std::vector<std::string> families = {"f", "f", "f", "g", "fa"};
  const std::vector<std::string> names = {"a", "b", "c", "aa", "ab", "a-"};
  std::set<std::string> keys;
  std::vector<SourceRow> rows;
  for (size_t tries = 0; tries < 2 * count && rows.size() < count; ++tries) {
    SourceRow row;
    row.row = dice->OneIn(8) ? RandomValue(dice) : Joined(dice, pool, 3);
    if (row.row.empty() || !keys.insert(row.row).second) continue;
    const auto add = [&](const std::string& family, const std::string& name) {
      if (row.Find(family, name) != nullptr) return;
      const std::string value = dice->OneIn(8) ? RandomValue(dice) : Joined(dice, pool, 2);
      row.cells.push_back({family, name, value, static_cast<int64_t>(1 + dice->Below(4) * 86'400'000)});
    };
    for (const char* name : {"a", "b"}) {
      if (!dice->OneIn(4)) add("f", name);
    }
    for (size_t left = dice->Below(5); left > 0; --left) add(dice->Of(families), dice->Of(names));
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace fensi::mapping
