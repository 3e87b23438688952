// The store over HBase's own RPC, against a cluster inside the test.
#include "store/native/native_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/hbase/fake_hbase.h"

namespace fensi::store {
namespace {

using hbase::FakeHBase;
using hbase::Reaction;

std::optional<Reaction> Refusing(const std::string& text) {
  return Reaction{.exception = "org.apache.hadoop.hbase.DoNotRetryIOException", .text = text};
}

std::vector<RowMutation> Rows(const std::vector<std::string>& names) {
  std::vector<RowMutation> rows;
  for (const std::string& name : names) rows.push_back({name, {{"f", "q", 1, CellType::kPut, "v", {}}}});
  return rows;
}

TEST(NativeStore, RejectsRowsWhoseCellsAreTooLargeThoughACallHasNoOther) {
  FakeHBase server;
  server.refuse_region = [](std::string_view row) {
    return Refusing("Cell[" + std::string(row) + "/f:q/1/Put] with size 20 exceeds limit of 10 bytes");
  };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  const auto rejected = store.Put("t", Rows({"a", "b", "c"}));
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  EXPECT_EQ(rejected->size(), 3U);
}

TEST(NativeStore, IsUnavailableIfEachRowOfACallIsRefusedForAnotherReason) {
  FakeHBase server;
  server.refuse_region = [](std::string_view) { return Refusing("java.io.FileNotFoundException"); };
  NativeStore store(hbase::Cluster::Open(server.Options()).value());
  EXPECT_EQ(store.Put("t", Rows({"a", "b", "c"})).status().code(), StatusCode::kUnavailable);
}

}  // namespace
}  // namespace fensi::store
