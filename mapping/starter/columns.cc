#include "mapping/starter/columns.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "mapping/functions/json_text.h"

namespace fensi::mapping {
namespace {

// A qualifier that one row in four has is a name.
constexpr size_t kCommonShare = 4;
constexpr size_t kFewRows = 4;     // say little about what is common
constexpr size_t kManyNames = 12;  // in a handful of rows: nobody writes so many names down
constexpr size_t kFewestData = 6;  // rare qualifiers that make a family wide
constexpr size_t kManyAlike = 20;  // columns of one kind: provinces, hours, tags

using Values = std::vector<std::string_view>;
using Columns = std::map<std::string_view, Values>;  // by qualifier

Columns ColumnsOf(const TableSample& sample, const std::string& family, size_t* rows) {
  Columns columns;
  for (const SampleRow& row : sample.rows) {
    bool has = false;
    for (const Cell& cell : row.cells) {
      if (cell.family != family) continue;
      columns[cell.qualifier].push_back(cell.value);
      has = true;
    }
    *rows += has ? 1 : 0;
  }
  return columns;
}

Values NamesOf(const Columns& columns) {
  Values names;
  for (const auto& [name, values] : columns) names.push_back(name);
  return names;
}

Values AllValues(const Columns& columns) {
  Values all;
  for (const auto& [name, values] : columns) all.insert(all.end(), values.begin(), values.end());
  return all;
}

bool NamesLookLikeData(const Columns& columns) {
  if (columns.size() < 2) return false;
  const ValueKind kind = GuessValues(NamesOf(columns)).kind;
  return kind != ValueKind::kText && kind != ValueKind::kNothing;
}

/// Values say nothing: the qualifier is what is stored.
bool OneValueForAll(const Columns& columns) {
  return columns.size() >= 2 && GuessValues(AllValues(columns)).distinct <= 1;
}

bool ManyOfOneKind(const Columns& columns) {
  if (columns.size() < kManyAlike) return false;
  std::set<ValueKind> kinds;
  for (const auto& [name, values] : columns) kinds.insert(GuessValues(values).kind);
  kinds.erase(ValueKind::kNothing);
  return kinds.size() <= 1;
}

bool RareOnesAreData(const Columns& rare, size_t rows) {
  if (NamesLookLikeData(rare)) return true;
  if (rows < kFewRows) return rare.size() >= kManyNames;
  const size_t cells = AllValues(rare).size();
  return rare.size() >= kFewestData && (cells <= 2 * rare.size() || cells * 20 < rows * rare.size());
}

/// The longest beginning of all names that ends like a prefix: "tag_".
std::string PrefixOf(const Values& names) {
  if (names.size() < 2) return "";
  const std::string_view first = names.front(), last = names.back();  // sorted
  size_t same = 0;
  while (same < std::min(first.size(), last.size()) && first[same] == last[same]) ++same;
  same = std::min(same, first.find('*'));  // it ends a pattern of columns
  while (same > 0 && std::string_view("_-:.|#/").find(first[same - 1]) == std::string_view::npos) --same;
  return std::string(first.substr(0, same));
}

WideGuess GuessWide(const std::string& family, const Columns& columns, size_t rows) {
  WideGuess wide;
  wide.family = family;
  wide.rows = rows;
  Values names = NamesOf(columns);
  wide.prefix = PrefixOf(names);
  for (std::string_view& name : names) name.remove_prefix(wide.prefix.size());
  wide.names = GuessValues(names);
  wide.values = GuessValues(AllValues(columns));
  return wide;
}

/// Moves the columns that few rows have.
Columns TakeRare(Columns* columns, size_t rows) {
  Columns rare;
  for (auto it = columns->begin(); it != columns->end();) {
    const bool is_rare =
        rows < kFewRows ? it->second.size() < rows || rows == 1 : it->second.size() * kCommonShare < rows;
    if (!is_rare) {
      ++it;
      continue;
    }
    rare.insert(*it);
    it = columns->erase(it);
  }
  return rare;
}

/// Fields of the documents in a column: single values, by name.
std::map<std::string, std::vector<std::string>> FieldsOf(const Values& documents) {
  std::map<std::string, std::vector<std::string>> fields;
  Scratch scratch;
  std::vector<JsonField> found;
  for (const std::string_view document : documents) {
    std::optional<JsonValue> root;
    if (!FindJson(document, {}, &root) || !root || root->kind != JsonValue::Kind::kObject) continue;
    JsonFields(root->text, &found);
    for (const JsonField& field : found) {
      if (field.value.kind == JsonValue::Kind::kString) {
        fields[std::string(JsonString(field.name, &scratch))].emplace_back(JsonString(field.value.text, &scratch));
      } else if (field.value.kind == JsonValue::Kind::kNumber) {
        fields[std::string(JsonString(field.name, &scratch))].emplace_back(field.value.text);
      }
    }
  }
  return fields;
}

/// As a path of `json`; empty: a name with characters that would have to be escaped.
std::string StepTo(const std::string& name) {
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  const bool ascii = std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= 0x20 && c < 0x7F; });
  if (name.empty() || !ascii || name.find_first_of("\"'\\{}*") != std::string::npos) return "";
  if (std::all_of(name.begin(), name.end(), is_word)) return " | json " + name;
  return " | json \"[\\\"" + name + "\\\"]\"";
}

/// The fields that one document in four has.
void AddFields(const std::string& family, std::string_view qualifier, const Values& documents, FamilyGuess* guess) {
  constexpr size_t kMostFields = 20;
  size_t added = 0;
  for (const auto& [name, values] : FieldsOf(documents)) {
    const std::string steps = StepTo(name);
    if (steps.empty() || values.size() * kCommonShare < documents.size() || added++ == kMostFields) continue;
    const Values views(values.begin(), values.end());
    guess->columns.push_back({family, std::string(qualifier), values.size(), GuessValues(views), steps, name});
  }
}

}  // namespace

FamilyGuess GuessFamily(const TableSample& sample, const std::string& family) {
  FamilyGuess guess;
  size_t rows = 0;
  Columns columns = ColumnsOf(sample, family, &rows);
  if (NamesLookLikeData(columns) || OneValueForAll(columns) || ManyOfOneKind(columns)) {
    guess.wide = GuessWide(family, columns, rows);
    return guess;
  }
  const Columns rare = TakeRare(&columns, rows);
  if (RareOnesAreData(rare, rows)) {
    guess.wide = GuessWide(family, rare, rows);
  } else {
    columns.insert(rare.begin(), rare.end());
  }
  for (const auto& [name, values] : columns) {
    guess.columns.push_back({family, std::string(name), values.size(), GuessValues(values)});
    if (guess.columns.back().values.kind == ValueKind::kJson) AddFields(family, name, values, &guess);
  }
  return guess;
}

}  // namespace fensi::mapping
