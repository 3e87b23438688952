#include "mapping/cases/read_cases.h"

#include <algorithm>
#include <limits>

#include "mapping/yaml/fields.h"
#include "mapping/yaml/suggest.h"

namespace fensi::mapping {
namespace {

class CaseReader {
 public:
  CaseReader(const Mapping& mapping, Reporter* reporter) : mapping_(mapping), reporter_(reporter) {}

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
      reporter_->Report(Code::kNotSupportedYet, lookup->place, "'lookup' in a test is not supported yet");
    } else if (fields.Find("expect") == nullptr && fields.Find("dead_letters") == nullptr) {
      reporter_->Report(Code::kMissingKey, node.place,
                        "this test expects nothing: 'expect' and 'dead_letters' are missing");
    }
    return test;
  }

 private:
  void ReadChanges(const Node& given, TestCase* test) {
    if (!IsKind(given, Node::Kind::kList, "'given'", reporter_)) return;
    for (const Node& item : given.items) {
      std::optional<ChangeEvent> event = ReadGiven(item, mapping_.source_table, reporter_);
      if (!event) continue;
      event->sequence_id = test->given.size() + 1;
      test->given.push_back(std::move(*event));
    }
  }

  const Index* FindIndex(const Node& name) {
    std::vector<std::string_view> known;
    for (const auto& index : mapping_.indexes) {
      if (index->name() == name.text) return index.get();
      known.push_back(index->name());
    }
    reporter_->Report(Code::kUnknownKey, name.place, "there is no index '" + name.text + "' in this file",
                      Suggest(name.text, known));
    return nullptr;
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
    for (const Node::Field& table : tables.fields) ReadRows(table.value, table.key.text, expectation);
  }

  void ReadRows(const Node& rows, const std::string& table, TestCase::Expectation* expectation) {
    if (!IsKind(rows, Node::Kind::kMap, "what an index holds", reporter_)) return;
    for (const Node::Field& row : rows.fields) {
      if (!IsKind(row.value, Node::Kind::kMap, "the columns of a row", reporter_)) continue;
      for (const Node::Field& cell : row.value.fields) {
        const std::optional<Column> column = ReadColumn(cell.key, reporter_);
        if (!column) continue;
        expectation->cells.push_back({table, ReadBytes(row.key, "the row", reporter_), column->family,
                                      column->qualifier, ReadBytes(cell.value, "the value", reporter_)});
      }
    }
  }

  const Mapping& mapping_;
  Reporter* const reporter_;
};

}  // namespace

std::vector<TestCase> ReadCases(const Node& node, const Mapping& mapping, Reporter* reporter) {
  std::vector<TestCase> cases;
  if (!IsKind(node, Node::Kind::kList, "'tests'", reporter)) return cases;
  for (const Node& item : node.items) cases.push_back(CaseReader(mapping, reporter).Read(item));
  return cases;
}

}  // namespace fensi::mapping
