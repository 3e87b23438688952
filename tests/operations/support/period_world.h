// An index with a table for each day on a store in memory, begun as `fensi run` begins it, and tables of some days.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "indexer/index_descriptor.h"
#include "indexer/index_meta.h"
#include "indexer/tables.h"
#include "mapping/diagnostics.h"
#include "mapping/environment.h"
#include "mapping/instant.h"
#include "mapping/mapping.h"
#include "meta/versioned_meta_row.h"
#include "operations/alias/expired_tables.h"
#include "store/open_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/doubles/faulty_store.h"

namespace fensi::operations {

inline constexpr char kDays[] = "visits_{v:time | int | from_ms | time %Y%m%d}";

inline std::shared_ptr<const mapping::Index> PeriodIndex(const std::string& name, const std::string& table,
                                                         const std::string& more = "") {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml", "source: source-of-all\nindexes:\n  " + name + ":\n    table: '" + table + "'\n    retention: 30d\n" +
                      "    state_table: states-of-" + name + "\n    row: '{v:user | terminated}{row}'\n" +
                      "    columns: { 'v:url': '{v:url}' }\n" + more}},
      &diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.Text();
  return mappings.at(0).indexes.at(0);
}

class PeriodWorld {
 public:
  /// Now is noon of 2016-12-19: of days to 2016-11-18 the tables are over.
  PeriodWorld() : clock(mapping::ParseInstant("2016-12-19T12:00").value()) {
    memory = store::OpenMemoryStore(&clock).value();
    faulty = std::make_unique<store::FaultyStore>(memory.get());
    MakeTable(meta::MetaTable(mapping::kDefaultMetaTable));
    Begin(*index);
  }

  void MakeTable(const store::TableDescriptor& table) { ASSERT_TRUE(memory->CreateTable(table, {}).ok()); }
  /// As the daemon makes it.
  void MakePeriod(const std::string& table) { MakeTable(indexer::IndexTablePlan(*index, table).table); }
  void Begin(const mapping::Index& begun) {
    MakeTable(indexer::StateTablePlan(begun, {}).table);
    indexer::IndexMeta meta(&begun, memory.get(), &clock);
    ASSERT_TRUE(meta.Open().ok());
    const meta::IndexRecord record(
        meta::VersionedMetaRow(memory.get(), mapping::kDefaultMetaTable, meta::IndexRow(begun.name())));
    ASSERT_TRUE(record.Register(indexer::FactsOf(begun, meta.incarnation())).ok());
  }
  bool HasTable(const std::string& table) const { return (*memory->DescribeTable(table)).has_value(); }

  ExpiredTables Tables(const mapping::Index& of, std::vector<std::shared_ptr<const mapping::Index>> beside = {}) {
    return {&of, faulty.get(), std::move(beside), ExpiryOptions(), &clock};
  }
  /// "TABLE", or "TABLE: why it is left alone".
  std::vector<std::string> Found(ExpiredTables tables) {
    const auto found = tables.Find();
    if (!found.ok()) return {found.status().ToString()};
    std::vector<std::string> texts;
    for (const ExpiredTable& table : *found) {
      texts.push_back(table.name + (table.obstacle.empty() ? "" : ": " + table.obstacle));
    }
    return texts;
  }
  std::vector<std::string> Found() { return Found(Tables(*index)); }

  FakeClock clock;
  std::unique_ptr<store::Store> memory;
  std::unique_ptr<store::FaultyStore> faulty;
  std::shared_ptr<const mapping::Index> index = PeriodIndex("visits", kDays);
};

}  // namespace fensi::operations
