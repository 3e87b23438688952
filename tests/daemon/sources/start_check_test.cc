// What is asked before an index begins.
#include "daemon/sources/start_check.h"

#include <gmock/gmock.h>

#include "mapping/environment.h"
#include "mapping/mapping.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "store/open_store.h"
#include "tests/operations/support/unable_store.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

TEST(StartCheck, WhatTheServerCannotDoIsFoundBeforeTheFirstEvent) {
  StartOptions options;
  options.store.url = "embedded:unused";  // its missing tables are made
  const std::shared_ptr<store::Store> memory = store::OpenMemoryStore(SystemClock()).value();
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
      &diagnostics);
  const mapping::Index& index = *mappings.front().indexes.front();
  operations::UnableStore store(memory);
  const Status status = CheckTables(options, index, "m.yaml", &store, Missing::kMake);
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_EQ(status.message(), "asked by way of " + index.state_table());
  store.code = StatusCode::kUnavailable;
  EXPECT_TRUE(CheckTables(options, index, "m.yaml", &store, Missing::kMake).ok())
      << "a bad hour of the server proves nothing";
  EXPECT_TRUE(CheckTables(options, index, "m.yaml", memory.get(), Missing::kMake).ok());
}

TEST(StartCheck, NamesOfAnotherIndexAreFoundBeforeTheFirstEvent) {
  const std::unique_ptr<store::Store> store = store::OpenMemoryStore(SystemClock()).value();
  ASSERT_TRUE(store->CreateTable(meta::MetaTable(mapping::kDefaultMetaTable), {}).ok());
  const meta::IndexRecord record(
      meta::VersionedMetaRow(store.get(), mapping::kDefaultMetaTable, meta::IndexRow("other")));
  ASSERT_TRUE(record.Register({.incarnation = "0123456789abcdef", .state_table = "i"}).ok());
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
      &diagnostics);
  const Status status = CheckTables({}, *mappings.front().indexes.front(), "m.yaml", store.get(), Missing::kMake);
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("table i is the state table of index other"));
}

}  // namespace
}  // namespace fensi::daemon
