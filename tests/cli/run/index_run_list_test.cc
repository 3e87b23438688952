// The indexes of a process while some come and go: whoever looks at them never meets one that is gone.
#include "cli/run/index_run_list.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "cli/planning/table_plan.h"
#include "cli/run/run_status.h"
#include "mapping/mapping.h"
#include "store/open_store.h"
#include "tests/doubles/memory_dead_letters.h"

namespace fensi::cli {
namespace {

/// A stream on which nothing comes, until it is stopped.
class SilentSource final : public consumer::ChangeSource {
 public:
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

 private:
  Mutex mu_;
  Condition changed_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
};

std::shared_ptr<store::Store> MemoryStore() {
  Result<std::unique_ptr<store::Store>> store = store::OpenMemoryStore(SystemClock());
  EXPECT_TRUE(store.ok());
  return std::move(*store);
}

class IndexRunListTest : public ::testing::Test {
 protected:
  std::shared_ptr<IndexRun> Run(const std::string& name) {
    mapping::Diagnostics diagnostics;
    const auto mappings = mapping::Load({{"m.yaml", "source: s\nindexes:\n  " + name + ":\n    table: " + name +
                                                        "\n    row: '{f1:a}'\n    columns: { 'f1:{row}': '' }\n"}},
                                        &diagnostics);
    IndexRunParts parts;
    parts.index = mappings.front().indexes.front();
    EXPECT_TRUE(CreateTables(*PlanTables(*parts.index, store_.get()), store_.get()).ok());
    parts.stream = {std::make_unique<SilentSource>(), [](std::chrono::milliseconds) { return Status(); }};
    parts.store = store_;
    parts.dead_letters = std::make_shared<consumer::MemoryDeadLetters>();
    return std::make_shared<IndexRun>(std::move(parts));
  }

  /// Its end is taken away as soon as it has come.
  IndexRuns AwaitLeft() {
    for (;;) {
      IndexRuns left = runs_.TakeLeft();
      if (!left.empty()) return left;
      std::this_thread::yield();
    }
  }

  const std::shared_ptr<store::Store> store_ = MemoryStore();
  IndexRunList runs_;
};

TEST_F(IndexRunListTest, OneThatLeavesIsShownUntilItHasEnded) {
  const auto one = Run("one"), other = Run("other");
  ASSERT_TRUE(runs_.Change({one, other}, {}));
  runs_.Start();
  EXPECT_EQ(runs_.all().size(), 2u);
  ASSERT_TRUE(runs_.Change({}, {one}));
  const IndexRuns left = AwaitLeft();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0], one);
  EXPECT_TRUE(one->ended());
  ASSERT_EQ(runs_.all().size(), 1u);
  EXPECT_EQ(runs_.all()[0], other);
  EXPECT_FALSE(other->ended());
  EXPECT_FALSE(runs_.IsLeaving(other.get()));
}

TEST_F(IndexRunListTest, WhatComesAfterTheStartBeginsAtOnce) {
  runs_.Start();
  const auto late = Run("late");
  ASSERT_TRUE(runs_.Change({late}, {}));
  while (late->state() == std::string("starting")) std::this_thread::yield();
  EXPECT_FALSE(late->ended());
}

TEST_F(IndexRunListTest, NothingComesWhenAllHaveEndedOrAreStopped) {
  const auto one = Run("one");
  ASSERT_TRUE(runs_.Change({one}, {}));
  runs_.Start();
  EXPECT_FALSE(runs_.CloseIfAllEnded());
  one->Stop();
  while (!runs_.CloseIfAllEnded()) std::this_thread::yield();
  EXPECT_FALSE(runs_.Change({Run("late")}, {}));
  EXPECT_EQ(runs_.all().size(), 1u);

  IndexRunList stopped({Run("two")});
  stopped.Start();
  stopped.StopAll();
  EXPECT_FALSE(stopped.Change({Run("three")}, {}));
}

TEST_F(IndexRunListTest, IsLookedAtWhileIndexesComeAndGo) {
  runs_.Start();
  const RunStatus status(runs_, SystemClock(), [](const std::string&) { return std::nullopt; });
  std::atomic<bool> enough = false;
  std::thread looker([&] {
    while (!enough) {
      metrics::Snapshot snapshot;
      status.Collect(&snapshot);
      EXPECT_FALSE(status.Status().empty());
      EXPECT_FALSE(status.Health().empty());
      EXPECT_FALSE(status.Readiness().empty());
    }
  });
  for (int i = 0; i < 20; ++i) {
    const auto run = Run("x" + std::to_string(i));
    ASSERT_TRUE(runs_.Change({run}, {}));
    ASSERT_TRUE(runs_.Change({}, {run}));
    for (const auto& left : AwaitLeft()) left->Join();
  }
  enough = true;
  looker.join();
  EXPECT_TRUE(runs_.all().empty());
}

}  // namespace
}  // namespace fensi::cli
