#include "mapping/cases/read_cases.h"

#include <algorithm>
#include <limits>

#include "base/suggest.h"
#include "base/table_name.h"
#include "mapping/cases/read_given.h"
#include "mapping/cases/read_values.h"
#include "mapping/lookup.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

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
                        "this test expects nothing: 'expect', 'lookup' and 'dead_letters' are missing");
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
    reporter_->Report(Code::kUnknownKey, name.place, "there is no index '" + name.text + "' in this file",
                      Suggest(name.text, known));
    return nullptr;
  }

  bool IsDeclared(const std::string& name) const {
    if (names_.declared == nullptr) return false;
    const std::vector<Node::Field>& fields = names_.declared->fields;
    return std::any_of(fields.begin(), fields.end(), [&](const Node::Field& field) { return field.key.text == name; });
  }

  void ReadExpectations(const Node& expect, TestCase* test) {
    if (!IsKind(expect, Node::Kind::kMap, "'expect'", reporter_)) return;
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
    if (!IsKind(tables, Node::Kind::kMap, "what an index of several tables holds", reporter_)) return;
    for (const Node::Field& table : tables.fields)
      ReadRows(table.value, std::string(CanonicalTableName(table.key.text)), expectation);
  }

  void ReadRows(const Node& rows, const std::string& table, TestCase::Expectation* expectation) {
    if (!IsKind(rows, Node::Kind::kMap, "what an index holds", reporter_)) return;
    for (const Node::Field& row : rows.fields) {
      if (!IsKind(row.value, Node::Kind::kMap, "the columns of a row", reporter_)) continue;
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
    const Fields fields(node, "a lookup", {"index", "parts", "from", "to", "rows"}, reporter_);
    TestCase::Lookup lookup;
    lookup.line = node.place.line;
    const Node* name = fields.Require("index");
    const Node* rows = fields.Require("rows");
    if (name == nullptr || rows == nullptr || fields.Text("index") == nullptr) return;
    const Index* index = FindIndex(*name);
    if (index == nullptr) return;
    lookup.index = name->text;
    if (const Node* parts = fields.Find("parts")) lookup.parts = ReadTexts(*parts, "a part");
    if (const Node* from = fields.Text("from")) lookup.from = ReadBytes(*from, "'from'", reporter_);
    if (const Node* to = fields.Text("to")) lookup.to = ReadBytes(*to, "'to'", reporter_);
    lookup.rows = ReadTexts(*rows, "a row");
    std::sort(lookup.rows.begin(), lookup.rows.end());
    const Status encoded = PlanLookup(*index, {lookup.parts, lookup.from, lookup.to}).status();
    if (!encoded.ok()) reporter_->Report(Code::kBadChoice, node.place, encoded.message());
    test->lookups.push_back(std::move(lookup));
  }

  std::vector<std::string> ReadTexts(const Node& list, const std::string& what) {
    std::vector<std::string> texts;
    if (!IsKind(list, Node::Kind::kList, "a list of texts", reporter_)) return texts;
    for (const Node& item : list.items) texts.push_back(ReadBytes(item, what, reporter_));
    return texts;
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

}  // namespace fensi::mapping
