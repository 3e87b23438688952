// A store with the shared table, which fails on demand.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "meta/versioned_meta_row.h"
#include "store/open_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/doubles/faulty_store.h"

namespace fensi::testing {

class MetaWorld {
 public:
  static constexpr char kTable[] = "fensi_meta";

  MetaWorld() {
    auto store = store::OpenMemoryStore(&clock_);
    EXPECT_TRUE(store.ok());
    store_ = std::move(*store);
    faulty_ = std::make_unique<store::FaultyStore>(store_.get());
    EXPECT_TRUE(store_->CreateTable(meta::MetaTable(kTable), {}).ok());
  }
  meta::VersionedMetaRow Row(const std::string& row) { return {faulty_.get(), kTable, row, &clock_}; }
  store::FaultyStore& faulty() { return *faulty_; }
  FakeClock& clock() { return clock_; }
  std::string Shown(const std::string& row, const std::string& qualifier) {
    const auto cell = meta::VersionedMetaRow(store_.get(), kTable, row).Read(qualifier);
    EXPECT_TRUE(cell.ok()) << cell.status().message();
    return cell->has_value() ? (*cell)->value : "";
  }

 private:
  FakeClock clock_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::FaultyStore> faulty_;
};

}  // namespace fensi::testing
