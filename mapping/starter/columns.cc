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

/// Where a field of a document is.
struct FieldPlace {
  std::string path;   // as `json` takes it: user["first name"]
  std::string names;  // for people
  bool quoted = false;
  std::string list = {};  // the path of the list that it is an item of, or a field of an item
  size_t depth = 0;
};

struct FoundField {
  FieldPlace place;
  std::vector<std::string> values;
  size_t documents = 0, last_document = 0;  // that have it
  std::optional<bool> is_list = {};         // absent: it is an object
  bool mixed = false;                       // sometimes another of the three
  bool nested = false;                      // some items of the list are lists or objects
};

/// The fields of the documents in a column that are single values, and those of the items of lists.
class FieldFinder {
 public:
  void Read(std::string_view document) {
    std::optional<JsonValue> root;
    if (!FindJson(document, {}, &root) || !root || root->kind != JsonValue::Kind::kObject) return;
    ++document_;
    ReadObject({}, root->text);
  }

  /// By their paths; `json` or `json_list` refuses no document that was read.
  std::vector<FoundField> Fields() const {
    std::vector<FoundField> fit;
    for (const auto& [path, field] : fields_) {
      const auto list = fields_.find(field.place.list);
      const bool in_list = list == fields_.end() || !list->second.mixed;
      if (!field.mixed && !field.nested && in_list && !field.values.empty()) fit.push_back(field);
    }
    return fit;
  }

 private:
  static constexpr size_t kDeepest = 5;  // names of a path

  void ReadObject(const FieldPlace& at, std::string_view object) {
    std::vector<JsonField> found;
    JsonFields(object, &found);
    std::set<std::string> names;
    for (const JsonField& field : found) names.emplace(JsonString(field.name, &scratch_));
    for (const JsonField& field : found) {
      const std::string name(JsonString(field.name, &scratch_));
      // Of an envelope of change events the row as it is now, without its description.
      const bool superseded =
          (name == "before" && names.contains("after")) || (name == "schema" && names.contains("payload"));
      const std::optional<FieldPlace> place = superseded ? std::nullopt : StepTo(at, name);
      if (place) ReadValue(*place, field.value);
    }
  }

  void ReadValue(const FieldPlace& at, const JsonValue& value) {
    using Kind = JsonValue::Kind;
    if (value.kind == Kind::kNull) return;
    FoundField& field = fields_[at.path];
    const std::optional<bool> is_list =
        value.kind == Kind::kObject ? std::nullopt : std::optional(value.kind == Kind::kArray);
    field.mixed = field.mixed || (field.documents > 0 && field.is_list != is_list);
    field.nested = field.nested || (is_list == true && !at.list.empty());
    field.place = at;
    field.is_list = is_list;
    if (field.last_document != document_) ++field.documents;
    field.last_document = document_;
    if (value.kind == Kind::kObject && at.depth < kDeepest) ReadObject(at, value.text);
    if (value.kind == Kind::kArray && at.list.empty()) ReadItems(at, value.text);
    if (is_list == false) AddSingle(value, &field);
  }

  /// Lists in lists are left out: `json_list` goes through one.
  void ReadItems(const FieldPlace& at, std::string_view array) {
    std::vector<JsonValue> items;
    JsonItems(array, &items);
    FieldPlace item = at;
    item.list = at.path;
    item.path += "[*]";
    for (const JsonValue& value : items) {
      const bool single = value.kind != JsonValue::Kind::kObject && value.kind != JsonValue::Kind::kArray;
      FoundField& field = fields_[at.path];
      if (single) AddSingle(value, &field);
      field.nested = field.nested || !single;
      if (value.kind == JsonValue::Kind::kObject && at.depth < kDeepest) ReadObject(item, value.text);
    }
  }

  void AddSingle(const JsonValue& value, FoundField* field) {
    if (value.kind == JsonValue::Kind::kString) field->values.emplace_back(JsonString(value.text, &scratch_));
    if (value.kind == JsonValue::Kind::kNumber) field->values.emplace_back(value.text);
  }

  /// Absent: a name with characters that would have to be escaped.
  static std::optional<FieldPlace> StepTo(const FieldPlace& at, const std::string& name) {
    const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
    if (name.empty() || !IsText(name) || name.find_first_of("\"'\\{}*") != std::string::npos) return std::nullopt;
    FieldPlace place = at;
    ++place.depth;
    place.names += (at.names.empty() ? "" : ".") + name;
    if (std::all_of(name.begin(), name.end(), is_word)) {
      place.path += (at.path.empty() ? "" : ".") + name;
    } else {
      place.path += "[\\\"" + name + "\\\"]";
      place.quoted = true;
    }
    return place;
  }

  Scratch scratch_;
  size_t document_ = 0;  // how many were read
  std::map<std::string, FoundField> fields_;
};

/// The fields that one document in four has.
void AddFields(const std::string& family, std::string_view qualifier, const Values& documents, FamilyGuess* guess) {
  constexpr size_t kMostFields = 40;
  FieldFinder finder;
  for (const std::string_view document : documents) finder.Read(document);
  size_t added = 0;
  for (const FoundField& field : finder.Fields()) {
    if (field.documents * kCommonShare < documents.size() || added++ == kMostFields) continue;
    const bool items = !field.place.list.empty() || field.is_list == true;
    const std::string path = field.place.quoted ? "\"" + field.place.path + "\"" : field.place.path;
    const Values views(field.values.begin(), field.values.end());
    guess->columns.push_back({family, std::string(qualifier), field.documents, GuessValues(views),
                              (items ? " | json_list " : " | json ") + path, field.place.names, items});
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
