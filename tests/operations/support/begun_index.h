// An index with one table on a store in memory, begun as `fensi run` begins it, and known to the meta table.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "indexer/index_descriptor.h"
#include "indexer/index_meta.h"
#include "mapping/diagnostics.h"
#include "mapping/environment.h"
#include "mapping/mapping.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/tables/table_plan.h"
#include "store/open_store.h"

namespace fensi::operations {

class BegunIndex {
 public:
  BegunIndex() {
    mapping::Diagnostics diagnostics;
    mappings = mapping::Load(
        {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
        &diagnostics);
    index = mappings.at(0).indexes.at(0);
    EXPECT_TRUE(CreateTables(*PlanTables(*index, store.get()), store.get()).ok());
    EXPECT_TRUE(store->CreateTable(meta::MetaTable(mapping::kDefaultMetaTable), {}).ok());
    indexer::IndexMeta meta(index.get(), store.get());
    EXPECT_TRUE(meta.Open().ok());
    incarnation = meta.incarnation();
    EXPECT_TRUE(record("i").Register(indexer::FactsOf(*index, incarnation)).ok());
  }

  meta::IndexRecord record(const std::string& name) const {
    return meta::IndexRecord(meta::VersionedMetaRow(store.get(), mapping::kDefaultMetaTable, meta::IndexRow(name)));
  }
  bool HasTable(const std::string& table) const { return (*store->DescribeTable(table)).has_value(); }

  const std::shared_ptr<store::Store> store = store::OpenMemoryStore(SystemClock()).value();
  std::vector<mapping::Mapping> mappings;
  std::shared_ptr<const mapping::Index> index;
  std::string incarnation;
};

}  // namespace fensi::operations
