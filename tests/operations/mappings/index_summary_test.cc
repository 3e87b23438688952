// What `fensi check` says of an index.
#include "operations/mappings/index_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/diagnostics.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

std::vector<mapping::Mapping> Load(const std::string& keys) {
  mapping::Diagnostics diagnostics;
  return mapping::Load({{"m.yaml", "source: s\nindexes:\n  i: { table: i, " + keys + " }\n"}}, &diagnostics);
}

TEST(IndexSummary, NamesTheCostOfAStatefulIndex) {
  const auto mappings = Load("row: '{f1:a}', columns: { 'f1:{row}': '' }");
  const std::string text = IndexSummary(*mappings.at(0).indexes.at(0));
  EXPECT_THAT(text, HasSubstr("index i\n"));
  EXPECT_THAT(text, HasSubstr("  class       stateful"));
  EXPECT_THAT(text, HasSubstr("one cell per source row"));
  EXPECT_THAT(text, HasSubstr("at most 1 read of state"));
  EXPECT_THAT(text, HasSubstr("  watches     f1:a\n"));
}

TEST(IndexSummary, IsTheSameForPrograms) {
  const auto mappings = Load("row: '{f1:a}', columns: { 'f1:{row}': '' }");
  const std::string json = IndexSummaryJson(mappings.at(0), *mappings.at(0).indexes.at(0));
  EXPECT_THAT(json, HasSubstr(R"("file":"m.yaml","index":"i")"));
  EXPECT_THAT(json, HasSubstr(R"("state_unit":"row")"));
  EXPECT_THAT(json, HasSubstr(R"("mode":"stateful")"));
}

}  // namespace
}  // namespace fensi::operations
