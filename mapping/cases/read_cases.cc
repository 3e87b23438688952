#include "mapping/cases/read_cases.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "base/text.h"
#include "mapping/definition/names.h"
#include "mapping/functions/proto_schemas.h"
#include "mapping/lookup.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

constexpr char kHintOfExpect[] =
    "write the rows under the name of an index: expect: { INDEX: { ROW: { 'f:q': VALUE } } }";
constexpr char kHintOfTables[] =
    "write the rows under the name of each table: { TABLE: { ROW: { 'f:q': VALUE } } }, or {} if there is none";
constexpr char kHintOfRows[] = "write each row with its columns: { ROW: { 'f:q': VALUE } }, or {} if there is none";
constexpr char kHintOfColumns[] = "write each column with its value: { 'f:q': VALUE }";
constexpr char kHintOfLookup[] = "'fensi help lookup' explains the parts, ranges and areas of a lookup";

class CaseReader {
 public:
  CaseReader(const CaseNames& names, const Outside& outside, Reporter* reporter)
      : names_(names), outside_(outside), reporter_(reporter) {}

  TestCase Read(const Node& node) {
    const Fields fields(node, "a case of 'tests'", {"name", "given", "expect", "dead_letters", "lookup"}, reporter_);
    TestCase test;
    test.line = node.place.line;
    if (node.kind != Node::Kind::kMap) return test;
    if (const Node* name = fields.Text("name")) test.name = name->text;
    fields.Require("name");
    if (const Node* given = fields.Require("given")) ReadChanges(*given, &test);
    if (const Node* expect = fields.Find("expect")) ReadExpectations(*expect, &test);
    test.dead_letters = fields.Number("dead_letters", 0, std::numeric_limits<int64_t>::max());
    if (const Node* lookup = fields.Find("lookup")) {
      ReadLookups(*lookup, &test);
    } else if (fields.Find("expect") == nullptr && fields.Find("dead_letters") == nullptr) {
      reporter_->Report(Code::kMissingKey, node.place,
                        "this test expects nothing: 'expect', 'lookup' and 'dead_letters' are missing",
                        {"add one of the three keys, such as expect: { INDEX: { ROW: { 'f:q': VALUE } } }"});
    }
    return test;
  }

 private:
  void ReadChanges(const Node& given, TestCase* test) {
    if (!IsKind(given, Node::Kind::kList, "'given'", reporter_)) return;
    for (const Node& item : given.items) {
      std::optional<ChangeEvent> event = ReadGiven(item, names_.source_table, outside_, reporter_);
      if (!event) continue;
      event->sequence_id = test->given.size() + 1;
      test->given.push_back(std::move(*event));
    }
  }

  const Index* FindIndex(const Node& name) {
    std::vector<std::string_view> known;
    for (const auto& index : names_.indexes) {
      if (index->name() == name.text) return index.get();
      known.push_back(index->name());
    }
    if (IsDeclared(name.text)) return nullptr;
    std::vector<std::string> hints = Suggest(name.text, known);
    if (hints.empty() && !known.empty()) hints = {"name an index of this file: " + OneOf(known)};
    reporter_->Report(Code::kUnknownKey, name.place, "there is no index '" + name.text + "' in this file",
                      std::move(hints));
    return nullptr;
  }

  bool IsDeclared(const std::string& name) const {
    if (names_.declared == nullptr) return false;
    const std::vector<Node::Field>& fields = names_.declared->fields;
    return std::any_of(fields.begin(), fields.end(), [&](const Node::Field& field) { return field.key.text == name; });
  }

  void ReadExpectations(const Node& expect, TestCase* test) {
    if (!IsKind(expect, Node::Kind::kMap, "'expect'", reporter_, kHintOfExpect)) return;
    for (const Node::Field& field : expect.fields) {
      const Index* index = FindIndex(field.key);
      if (index == nullptr) continue;
      TestCase::Expectation expectation;
      expectation.index = index->name();
      if (index->table_is_template()) {
        ReadTables(field.value, &expectation);
      } else {
        ReadRows(field.value, index->table(), &expectation);
      }
      std::sort(expectation.cells.begin(), expectation.cells.end());
      test->expect.push_back(std::move(expectation));
    }
  }

  void ReadTables(const Node& tables, TestCase::Expectation* expectation) {
    if (!IsKind(tables, Node::Kind::kMap, "'" + expectation->index + "'", reporter_, kHintOfTables)) return;
    for (const Node::Field& table : tables.fields)
      ReadRows(table.value, std::string(CanonicalTableName(table.key.text)), expectation);
  }

  void ReadRows(const Node& rows, const std::string& table, TestCase::Expectation* expectation) {
    if (!IsKind(rows, Node::Kind::kMap, "the rows of table " + table, reporter_, kHintOfRows)) return;
    for (const Node::Field& row : rows.fields) {
      if (!IsKind(row.value, Node::Kind::kMap, "the columns of a row", reporter_, kHintOfColumns)) continue;
      for (const Node::Field& cell : row.value.fields) {
        const std::optional<Column> column = ReadColumn(cell.key, reporter_);
        if (!column) continue;
        expectation->cells.push_back({table, ReadBytes(row.key, "the row", reporter_), column->family,
                                      column->qualifier, ReadValue(cell.value, outside_, reporter_)});
      }
    }
  }

  void ReadLookups(const Node& node, TestCase* test) {
    const std::vector<Node> one = {node};
    for (const Node& item : node.kind == Node::Kind::kList ? node.items : one) ReadLookup(item, test);
  }

  void ReadLookup(const Node& node, TestCase* test) {
    const Fields fields(node, "a lookup", {"index", "parts", "from", "to", "near", "radius", "box", "rows"}, reporter_);
    TestCase::Lookup lookup;
    lookup.line = node.place.line;
    const Node* name = fields.Require("index");
    const Node* rows = fields.Require("rows");
    if (name == nullptr || rows == nullptr || fields.Text("index") == nullptr) return;
    const Index* index = FindIndex(*name);
    if (index == nullptr) return;
    lookup.index = name->text;
    if (const Node* parts = fields.Find("parts")) lookup.parts = ReadParts(*parts, *index);
    if (const Node* from = fields.Text("from")) lookup.from = ReadBytes(*from, "'from'", reporter_);
    if (const Node* to = fields.Text("to")) lookup.to = ReadBytes(*to, "'to'", reporter_);
    if (!ReadArea(node, fields, &lookup)) return;
    lookup.rows = ReadRows(*rows);
    std::sort(lookup.rows.begin(), lookup.rows.end());
    const Status encoded = PlanLookup(*index, {lookup.parts, lookup.from, lookup.to, lookup.area}).status();
    if (!encoded.ok()) reporter_->Report(Code::kBadChoice, node.place, encoded.message(), {kHintOfLookup});
    test->lookups.push_back(std::move(lookup));
  }

  bool ReadArea(const Node& node, const Fields& fields, TestCase::Lookup* lookup) {
    const bool circle = fields.Find("near") != nullptr || fields.Find("radius") != nullptr;
    if (!circle && fields.Find("box") == nullptr) return true;
    const Node* const near = circle ? fields.Require("near") : nullptr;
    const Node* const radius = circle ? fields.Require("radius") : nullptr;
    if (circle && (near == nullptr || radius == nullptr)) return false;
    if (circle && fields.Find("box") != nullptr) {
      reporter_->Report(Code::kBadChoice, node.place, "'near' and 'box' exclude each other",
                        {"remove 'near' and 'radius', or remove 'box'"});
      return false;
    }
    Result<Area> area = circle ? Area::Near(near->text, radius->text) : Area::Box(fields.Find("box")->text);
    if (!area.ok()) reporter_->Report(Code::kBadChoice, node.place, area.status().message(), {kHintOfLookup});
    if (!area.ok()) return false;
    lookup->area = std::move(*area);
    return true;
  }

  /// As `fensi lookup` takes them.
  std::vector<std::string> ReadParts(const Node& list, const Index& index) {
    std::vector<std::string> parts;
    if (!IsKind(list, Node::Kind::kList, "'parts'", reporter_)) return parts;
    for (const Node& item : list.items) {
      std::string part = ReadBytes(item, "a part", reporter_);
      const Result<std::string> typed = TypedPart(index, parts.size(), item.text);
      if (typed.ok()) part = *typed;
      if (!typed.ok() && Unescape(item.text).ok())
        reporter_->Report(Code::kBadChoice, item.place, typed.status().message(), {kHintOfLookup});
      parts.push_back(std::move(part));
    }
    return parts;
  }

  std::vector<std::string> ReadRows(const Node& list) {
    std::vector<std::string> rows;
    if (!IsKind(list, Node::Kind::kList, "'rows'", reporter_)) return rows;
    for (const Node& item : list.items) rows.push_back(ReadBytes(item, "a row", reporter_));
    return rows;
  }

  const CaseNames& names_;
  const Outside& outside_;
  Reporter* const reporter_;
};

}  // namespace

std::vector<TestCase> ReadCases(const Node& node, const CaseNames& names, const Outside& outside, Reporter* reporter) {
  std::vector<TestCase> cases;
  if (!IsKind(node, Node::Kind::kList, "'tests'", reporter)) return cases;
  for (const Node& item : node.items) cases.push_back(CaseReader(names, outside, reporter).Read(item));
  return cases;
}

namespace {

constexpr std::string_view kHint =
    "write a change such as { put: a, 'f1:from': b, ts: 1 } or { delete_column: a, column: 'f1:from', ts: 5 }";

constexpr std::array kTypes = {CellType::kPut, CellType::kDelete, CellType::kDeleteColumn, CellType::kDeleteFamily,
                               CellType::kDeleteFamilyVersion};

/// Which kind of change an item is: the one key that names a cell type.
const Node::Field* TypeField(const Node& item, CellType* type) {
  for (const Node::Field& field : item.fields) {
    for (const CellType candidate : kTypes) {
      if (field.key.text != CellTypeName(candidate)) continue;
      *type = candidate;
      return &field;
    }
  }
  return nullptr;
}

/// Reads the cells of one item after its first key.
class ItemReader {
 public:
  ItemReader(const Node& item, const Outside& outside, Reporter* reporter)
      : item_(item), outside_(outside), reporter_(reporter) {}

  std::optional<ChangeEvent> Read(const std::string& table) {
    CellType type = CellType::kPut;
    const Node::Field* field = TypeField(item_, &type);
    if (field == nullptr) {
      reporter_->Report(Code::kMissingKey, item_.place, "this item of 'given' is not a change", {std::string(kHint)});
      return std::nullopt;
    }
    ChangeEvent event;
    event.table = table;
    event.row = ReadBytes(field->value, "the row", reporter_);
    const size_t errors = reporter_->errors();
    if (type == CellType::kPut) {
      ReadPuts(&event);
    } else if (IsFamilyMarker(type)) {
      ReadFamilyMarker(type, &event);
    } else {
      ReadColumnMarker(type, &event);
    }
    if (reporter_->errors() > errors) return std::nullopt;
    return event;
  }

 private:
  int64_t Timestamp() {
    for (const Node::Field& field : item_.fields) {
      if (field.key.text != "ts") continue;
      if (!IsKind(field.value, Node::Kind::kText, "'ts'", reporter_)) return 0;
      const std::optional<int64_t> number = ParseInteger(field.value.text);
      if (number && *number >= 0 && *number < std::numeric_limits<int64_t>::max()) return *number;
      reporter_->Report(Code::kBadNumber, field.value.place, "'ts' must be a timestamp in milliseconds",
                        {"write milliseconds since 1970, such as ts: 1482121762074"});
      return 0;
    }
    reporter_->Report(Code::kMissingKey, item_.place, "this change has no 'ts'", {std::string(kHint)});
    return 0;
  }

  void ReadPuts(ChangeEvent* event) {
    const int64_t timestamp = Timestamp();
    bool any = false;
    for (const Node::Field& field : item_.fields) {
      if (field.key.text == "put" || field.key.text == "ts") continue;
      any = true;
      const std::optional<Column> column = ReadColumn(field.key, reporter_);
      const std::string value = ReadValue(field.value, outside_, reporter_);
      if (column) event->cells.push_back({column->family, column->qualifier, timestamp, CellType::kPut, value, {}});
    }
    if (!any) reporter_->Report(Code::kEmpty, item_.place, "this put has no column", {std::string(kHint)});
  }

  void ReadColumnMarker(CellType type, ChangeEvent* event) {
    const Fields fields(item_, "this change", {CellTypeName(type), "column", "ts"}, reporter_);
    const int64_t timestamp = Timestamp();
    const Node* name = fields.Require("column");
    if (name == nullptr || fields.Text("column") == nullptr) return;
    const std::optional<Column> column = ReadColumn(*name, reporter_);
    if (column) event->cells.push_back({column->family, column->qualifier, timestamp, type, "", {}});
  }

  void ReadFamilyMarker(CellType type, ChangeEvent* event) {
    const Fields fields(item_, "this change", {CellTypeName(type), "family", "ts"}, reporter_);
    const int64_t timestamp = Timestamp();
    const Node* family = fields.Require("family");
    if (family == nullptr || fields.Text("family") == nullptr) return;
    event->cells.push_back({ReadBytes(*family, "the family", reporter_), "", timestamp, type, "", {}});
  }

  const Node& item_;
  const Outside& outside_;
  Reporter* const reporter_;
};

std::optional<ChangeEvent> ReadMutation(const Node& list, const std::string& table, const Outside& outside,
                                        Reporter* reporter) {
  if (!IsKind(list, Node::Kind::kList, "'event'", reporter)) return std::nullopt;
  std::optional<ChangeEvent> whole;
  for (const Node& item : list.items) {
    std::optional<ChangeEvent> part = ItemReader(item, outside, reporter).Read(table);
    if (!part) return std::nullopt;
    if (!whole) {
      whole = std::move(part);
    } else if (whole->row != part->row) {
      reporter->Report(Code::kWrongKind, item.place, "this change is of another row, and an event changes only one row",
                       {"write the changes of the other row in an 'event' of their own"});
      return std::nullopt;
    } else {
      std::move(part->cells.begin(), part->cells.end(), std::back_inserter(whole->cells));
    }
  }
  if (!whole) reporter->Report(Code::kEmpty, list.place, "'event' has no change", {std::string(kHint)});
  return whole;
}

}  // namespace

std::optional<ChangeEvent> ReadGiven(const Node& node, const std::string& table, const Outside& outside,
                                     Reporter* reporter) {
  if (!IsKind(node, Node::Kind::kMap, "an item of 'given'", reporter)) return std::nullopt;
  const Node* event = node.Find("event");
  if (event == nullptr) return ItemReader(node, outside, reporter).Read(table);
  const Fields fields(node, "this item of 'given'", {"event"}, reporter);
  return ReadMutation(*event, table, outside, reporter);
}

std::string ReadBytes(const Node& node, const std::string& what, Reporter* reporter) {
  if (!IsKind(node, Node::Kind::kText, what, reporter)) return "";
  Result<std::string> bytes = Unescape(node.text);
  if (bytes.ok()) return std::move(*bytes);
  reporter->Report(Code::kTemplateSyntax, node.place, bytes.status().message(),
                   {"write a byte as \\xNN with two hex digits, and a backslash as \\x5C"});
  return "";
}

std::string ReadValue(const Node& node, const Outside& outside, Reporter* reporter) {
  if (node.kind != Node::Kind::kMap) return ReadBytes(node, "the value", reporter);
  const Fields fields(node, "a message as a value", {"proto", "text"}, reporter);
  const Node* name = fields.Require("proto");
  const Node* text = fields.Require("text");
  if (name == nullptr || text == nullptr || !fields.Text("proto") || !fields.Text("text")) return "";
  const auto* message = outside.schemas == nullptr ? nullptr : outside.schemas->Find(name->text);
  if (message == nullptr) {
    reporter->Report(Code::kBadProto, name->place,
                     "there is no message '" + name->text + "' in the files under 'protos:'",
                     {"write the full name of a message of these files, such as example.Visitor"});
    return "";
  }
  Result<std::string> bytes = outside.schemas->FromText(message, text->text);
  if (bytes.ok()) return std::move(*bytes);
  reporter->Report(Code::kBadProto, text->place,
                   "this text is no message " + name->text + ": " + bytes.status().message(),
                   {"write the text format of protobuf, such as text: 'visitor { requests: 5 type: HTTP }'"});
  return "";
}

std::optional<Column> ReadColumn(const Node& node, Reporter* reporter) {
  const std::string text = ReadBytes(node, "a column", reporter);
  const ColumnName name = SplitColumn(text);
  if (name.has_qualifier && IsFamilyName(name.family))
    return Column{std::string(name.family), std::string(name.qualifier)};
  reporter->Report(Code::kBadColumn, node.place, "'" + node.text + "' is not a column",
                   {"write a column as family:qualifier, such as f1:from"});
  return std::nullopt;
}

}  // namespace fensi::mapping
