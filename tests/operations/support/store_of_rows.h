// A store in memory, with a table of a few rows.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "store/open_store.h"

namespace fensi::operations {

/// A store whose table `t` has these rows, each with one cell, f:q = "v".
inline std::unique_ptr<store::Store> StoreOfRows(std::initializer_list<const char*> rows) {
  auto opened = store::OpenMemoryStore(SystemClock());
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  if (!opened.ok()) return nullptr;
  std::unique_ptr<store::Store> store = std::move(*opened);
  EXPECT_TRUE(store->CreateTable({"t", {{"f"}}}, {}).ok());
  for (const char* row : rows) {
    const store::RowMutation mutation{row, {{.family = "f", .qualifier = "q", .timestamp = 1, .value = "v"}}};
    EXPECT_TRUE(store->Put("t", std::span(&mutation, 1)).ok());
  }
  return store;
}

}  // namespace fensi::operations
