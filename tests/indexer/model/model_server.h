// Where a history is played: a store, its clock, and what a store cannot be asked.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "store/store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/indexer/model/hbase_table.h"
#include "tests/indexer/model/model_store.h"

namespace fensi::testing {

class ModelServer {
 public:
  virtual ~ModelServer() = default;

  virtual Clock* clock() = 0;
  virtual store::Store* store() = 0;
  /// Time passes to `time`. A real clock may pass it.
  virtual void PassTo(int64_t time) = 0;
  /// Of a table that is there.
  virtual void SetKeepDeleted(const std::string& table, KeepDeleted keep) = 0;
  /// `purge`: delete markers are old enough to go.
  virtual void MajorCompact(const std::string& table, bool purge) = 0;
};

class MemoryServer final : public ModelServer {
 public:
  explicit MemoryServer(int64_t start) : clock_(start) {}

  Clock* clock() override { return &clock_; }
  store::Store* store() override { return &store_; }
  void PassTo(int64_t time) override { clock_.Set(time); }
  void SetKeepDeleted(const std::string& table, KeepDeleted keep) override { store_.SetKeepDeleted(table, keep); }
  void MajorCompact(const std::string& table, bool purge) override;

 private:
  FakeClock clock_;
  ModelStore store_{&clock_};
};

}  // namespace fensi::testing
