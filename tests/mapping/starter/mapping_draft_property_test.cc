// Whatever a table holds, its starter is a legal mapping.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "tests/mapping/starter/starter_testing.h"

namespace fensi::mapping {
namespace {

rc::Gen<std::string> Bytes() {
  return rc::gen::oneOf(rc::gen::arbitrary<std::string>(), rc::gen::string<std::string>(),
                        rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab019-_:|#{}\"'\\*@ \n"))),
                        rc::gen::element<std::string>("1482125382074", "9bf0-abc001", "tag_x", "17", "{}", "", "19.90",
                                                      "2016-12-19T05:29:42Z", "{\"a.b\": 1, \"c\": \"x\"}",
                                                      "{\"a\": [1, \"b\"], \"c d\": {\"e\": 7}}", "[{\"a\": 1}]",
                                                      "{\"a\": [{\"b\": 1}, {\"b\": 2}]}", "1482125382074001",
                                                      "123e4567-e89b-12d3-a456-426614174000",
                                                      std::string("@\4\0\0\0\0\0\0", 8), std::string("\x80\0\0\1", 4)));
}

rc::Gen<Cell> Cells() {
  return rc::gen::apply(
      [](const std::string& family, std::string qualifier, std::string value) {
        return Cell{.family = family, .qualifier = std::move(qualifier), .timestamp = 1, .value = std::move(value)};
      },
      rc::gen::element<std::string>("f", "g{'", "o"), Bytes(), Bytes());
}

std::vector<Cell> EachColumnOnce(const std::vector<Cell>& cells) {
  std::map<std::pair<std::string, std::string>, Cell> columns;
  for (const Cell& cell : cells) columns.try_emplace({cell.family, cell.qualifier}, cell);
  std::vector<Cell> once;
  for (const auto& [column, cell] : columns) once.push_back(cell);
  return once;
}

RC_GTEST_PROP(StarterProperty, EveryTableGetsAMappingThatLoads, ()) {
  TableSample sample{"space:t.able-1", {{"f", {}}, {"g{'", 60}, {"o", {}}}, {}};
  const auto rows = *rc::gen::container<std::vector<std::pair<std::string, std::vector<Cell>>>>(
      rc::gen::pair(rc::gen::nonEmpty(Bytes()), rc::gen::container<std::vector<Cell>>(Cells())));
  for (const auto& [row, cells] : rows) sample.rows.push_back({row, EachColumnOnce(cells)});
  const std::string text = DraftMapping(sample).text;
  RC_ASSERT(Complaints(text) == "");
  RC_ASSERT(Complaints(WithAllProposals(text)) == "");
}

}  // namespace
}  // namespace fensi::mapping
