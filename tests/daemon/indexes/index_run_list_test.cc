// The indexes of a process while some come and go: whoever looks at them never meets one that is gone.
#include "daemon/indexes/index_run_list.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "daemon/status/run_status.h"
#include "store/open_store.h"
#include "tests/daemon/support/silent_source.h"

namespace fensi::daemon {
namespace {

std::shared_ptr<store::Store> MemoryStore() {
  Result<std::unique_ptr<store::Store>> store = store::OpenMemoryStore(SystemClock());
  EXPECT_TRUE(store.ok());
  return std::move(*store);
}

class IndexRunListTest : public ::testing::Test {
 protected:
  std::shared_ptr<IndexRun> Run(const std::string& name) { return SilentRun(name, store_); }

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
  const RunStatus status(runs_, {}, SystemClock(), [](const std::string&) { return std::nullopt; });
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
}  // namespace fensi::daemon
