// A stream on which nothing comes, and an index that runs with one on a store in memory.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "consumer/change_source.h"
#include "daemon/indexes/index_run.h"
#include "mapping/diagnostics.h"
#include "mapping/mapping.h"
#include "operations/tables/table_plan.h"
#include "store/store.h"
#include "tests/doubles/memory_dead_letters.h"

namespace fensi::daemon {

/// A stream on which nothing comes, until it is stopped.
class SilentSource final : public consumer::ChangeSource {
 public:
  explicit SilentSource(bool at_rest = false) : at_rest_(at_rest) {}

  consumer::Work Next() override {
    MutexLock lock(mu_);
    while (!stopped_) changed_.wait(lock);
    return consumer::End{};
  }
  Status Begin(const std::shared_ptr<consumer::Assignment>&, int64_t) override { return {}; }
  using ChangeSource::Done;
  void Done(const consumer::Batch&) override {}
  void Abandon(const std::shared_ptr<consumer::Assignment>&) override {}
  void Stop() override {
    const MutexLock lock(mu_);
    stopped_ = true;
    changed_.notify_all();
  }
  Status Close() override { return {}; }
  Progress progress() const override { return {}; }
  consumer::StreamState state() const override {
    consumer::StreamState state;
    state.at_rest = at_rest_;
    return state;
  }

 private:
  const bool at_rest_;  // paused, whatever the index says
  Mutex mu_;
  Condition changed_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
};

inline std::shared_ptr<IndexRun> SilentRun(const std::string& name, const std::shared_ptr<store::Store>& store,
                                           bool at_rest = false) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load({{"m.yaml", "source: s\nindexes:\n  " + name + ":\n    table: " + name +
                                                      "\n    row: '{f1:a}'\n    columns: { 'f1:{row}': '' }\n"}},
                                      &diagnostics);
  IndexRunParts parts;
  parts.index = mappings.front().indexes.front();
  EXPECT_TRUE(operations::CreateTables(*operations::PlanTables(*parts.index, store.get()), store.get()).ok());
  parts.stream = {std::make_unique<SilentSource>(at_rest), [](std::chrono::milliseconds) { return Status(); }};
  parts.store = store;
  parts.dead_letters = std::make_shared<consumer::MemoryDeadLetters>();
  return std::make_shared<IndexRun>(std::move(parts));
}

}  // namespace fensi::daemon
