// Tests of the embedded store in a directory of their own, which is empty before and removed after each test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "store/embedded/embedded_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {

/// The same in the processes that a death test starts.
inline std::string DirectoryOfRun() {
  constexpr char kVariable[] = "FENSI_TEST_EMBEDDED_DIRECTORY";
  const std::filesystem::path fresh =
      std::filesystem::path(::testing::TempDir()) / ("embedded_" + std::to_string(getpid()));
  setenv(kVariable, fresh.c_str(), /*overwrite=*/0);
  return std::getenv(kVariable);
}

class EmbeddedStoreTest : public ::testing::Test {
 protected:
  EmbeddedStoreTest() : directory_(DirectoryOfRun()) { std::filesystem::remove_all(directory_); }
  ~EmbeddedStoreTest() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<EmbeddedStore> Open(bool read_only = false) {
    auto store = EmbeddedStore::Open({.directory = directory_, .read_only = read_only, .clock = &clock_});
    EXPECT_TRUE(store.ok()) << store.status().ToString();
    return store.ok() ? std::move(*store) : nullptr;
  }
  static void Put(EmbeddedStore& store, const std::string& row, const Cell& cell) {
    const RowMutation mutation{row, {cell}};
    const auto rejected = store.Put("t", std::span(&mutation, 1));
    ASSERT_TRUE(rejected.ok() && rejected->empty()) << rejected.status().ToString();
  }
  static std::string Read(EmbeddedStore& store, const std::string& row, bool raw = false) {
    const GetRequest request{.row = row, .max_versions = 9, .raw = raw};
    const auto rows = store.Get("t", std::span(&request, 1));
    return rows.ok() ? RowText(rows->front()) : rows.status().ToString();
  }

  std::string directory_;
  FakeClock clock_{1'000'000};
};

}  // namespace fensi::store
