// The indexes of a process while some come and go: whoever looks at them never meets one that is gone.
#include "cli/run/job_list.h"

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

class JobListTest : public ::testing::Test {
 protected:
  std::shared_ptr<IndexJob> Job(const std::string& name) {
    mapping::Diagnostics diagnostics;
    const auto mappings = mapping::Load({{"m.yaml", "source: s\nindexes:\n  " + name + ":\n    table: " + name +
                                                        "\n    row: '{f1:a}'\n    columns: { 'f1:{row}': '' }\n"}},
                                        &diagnostics);
    IndexJobParts parts;
    parts.index = mappings.front().indexes.front();
    EXPECT_TRUE(CreateTables(*PlanTables(*parts.index, store_.get()), store_.get()).ok());
    parts.stream = {std::make_unique<SilentSource>(), [](std::chrono::milliseconds) { return Status(); }};
    parts.store = store_;
    parts.dead_letters = std::make_shared<consumer::MemoryDeadLetters>();
    return std::make_shared<IndexJob>(std::move(parts));
  }

  /// Its end is taken away as soon as it has come.
  Jobs AwaitLeft() {
    for (;;) {
      Jobs left = jobs_.TakeLeft();
      if (!left.empty()) return left;
      std::this_thread::yield();
    }
  }

  const std::shared_ptr<store::Store> store_ = MemoryStore();
  JobList jobs_;
};

TEST_F(JobListTest, OneThatLeavesIsShownUntilItHasEnded) {
  const auto one = Job("one"), other = Job("other");
  ASSERT_TRUE(jobs_.Change({one, other}, {}));
  jobs_.Start();
  EXPECT_EQ(jobs_.all().size(), 2u);
  ASSERT_TRUE(jobs_.Change({}, {one}));
  const Jobs left = AwaitLeft();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0], one);
  EXPECT_TRUE(one->ended());
  ASSERT_EQ(jobs_.all().size(), 1u);
  EXPECT_EQ(jobs_.all()[0], other);
  EXPECT_FALSE(other->ended());
  EXPECT_FALSE(jobs_.IsLeaving(other.get()));
}

TEST_F(JobListTest, WhatComesAfterTheStartBeginsAtOnce) {
  jobs_.Start();
  const auto late = Job("late");
  ASSERT_TRUE(jobs_.Change({late}, {}));
  while (late->state() == std::string("starting")) std::this_thread::yield();
  EXPECT_FALSE(late->ended());
}

TEST_F(JobListTest, NothingComesWhenAllHaveEndedOrAreStopped) {
  const auto one = Job("one");
  ASSERT_TRUE(jobs_.Change({one}, {}));
  jobs_.Start();
  EXPECT_FALSE(jobs_.CloseIfAllEnded());
  one->Stop();
  while (!jobs_.CloseIfAllEnded()) std::this_thread::yield();
  EXPECT_FALSE(jobs_.Change({Job("late")}, {}));
  EXPECT_EQ(jobs_.all().size(), 1u);

  JobList stopped({Job("two")});
  stopped.Start();
  stopped.StopAll();
  EXPECT_FALSE(stopped.Change({Job("three")}, {}));
}

TEST_F(JobListTest, IsLookedAtWhileIndexesComeAndGo) {
  jobs_.Start();
  const RunStatus status(jobs_, SystemClock());
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
    const auto job = Job("x" + std::to_string(i));
    ASSERT_TRUE(jobs_.Change({job}, {}));
    ASSERT_TRUE(jobs_.Change({}, {job}));
    for (const auto& left : AwaitLeft()) left->Join();
  }
  enough = true;
  looker.join();
  EXPECT_TRUE(jobs_.all().empty());
}

}  // namespace
}  // namespace fensi::cli
