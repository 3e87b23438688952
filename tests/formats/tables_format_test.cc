// The tables that an index has made: families and their attributes, also those of a period.
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "indexer/tables.h"
#include "tests/formats/golden.h"
#include "tests/indexer/support/rules.h"

namespace fensi::testing {
namespace {

std::string NumberText(const char* name, const std::optional<int32_t>& number) {
  return number ? std::string(name) + " " + std::to_string(*number) + "\n" : "";
}

std::string FamilyText(const store::FamilyDescriptor& family) {
  std::string text = "family " + family.name + "\nmax_versions " + std::to_string(family.max_versions) + "\n";
  text += NumberText("min_versions", family.min_versions) + NumberText("ttl_seconds", family.ttl_seconds) +
          NumberText("block_size", family.block_size) + NumberText("replication_scope", family.replication_scope);
  text += "bloom_filter " + family.bloom_filter + "\ncompression " + family.compression + "\n";
  text +=
      std::string(family.in_memory ? "in memory" : "on disk") + (family.block_cache ? ", cached\n" : ", not cached\n");
  for (const auto& [key, value] : family.configuration) text.append(key).append(" = ").append(value).append("\n");
  return text;
}

Piece PieceOfTable(const indexer::TablePlan& plan) {
  std::string text;
  for (const store::FamilyDescriptor& family : plan.table.families) text += FamilyText(family);
  for (const std::string& key : plan.split_keys) text += "split " + Escape(key) + "\n";
  return {"table " + plan.table.name, text};
}

TEST(TablesFormat, OfAnIndexItsStateAndItsPeriodsAreMadeAsTheyAlwaysWere) {
  const auto plain = CompileRule(ValueRule()), period = CompileRule(PeriodRule()), shared = CompileRule(SharedRule());
  ExpectGolden("tables", 3,
               {PieceOfTable(indexer::IndexTablePlan(*plain, plain->table())),
                PieceOfTable(indexer::IndexTablePlan(*shared, "shared")),
                PieceOfTable(indexer::IndexTablePlan(*period, "inverse_20161219")),
                PieceOfTable(indexer::StateTablePlan(*plain, {"", "m"}))});
}

}  // namespace
}  // namespace fensi::testing
