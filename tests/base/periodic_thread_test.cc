#include "base/periodic_thread.h"

#include <gtest/gtest.h>

#include <new>

namespace fensi {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

/// Counts calls, and waits for them.
class Counter {
 public:
  void Add() {
    const MutexLock lock(mu_);
    ++calls_;
    changed_.notify_all();
  }
  void Await(int calls) {
    MutexLock lock(mu_);
    changed_.wait(lock, [this, calls]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return calls_ >= calls; });
  }
  int calls() {
    const MutexLock lock(mu_);
    return calls_;
  }

 private:
  Mutex mu_;
  Condition changed_;
  int calls_ ABSL_GUARDED_BY(mu_) = 0;
};

TEST(PeriodicThreadTest, CallsAgainAndAgainUntilItIsStopped) {
  Counter counter;
  PeriodicThread thread(milliseconds(1), [&] { counter.Add(); });
  counter.Await(3);
  EXPECT_TRUE(thread.Stop());
  const int calls = counter.calls();
  EXPECT_FALSE(thread.Stop()) << "it was stopped before";
  EXPECT_EQ(counter.calls(), calls);
}

TEST(PeriodicThreadTest, AStopWaitsForNoPeriod) {
  Counter counter;
  {
    const PeriodicThread thread(hours(1), [&] { counter.Add(); });
  }
  EXPECT_EQ(counter.calls(), 0) << "the first call is due after a period";
}

TEST(PeriodicThreadTest, TheFirstCallMayComeSooner) {
  Counter counter;
  const PeriodicThread thread(
      hours(1), [&] { counter.Add(); }, milliseconds(0));
  counter.Await(1);
}

TEST(PeriodicThreadTest, AStopWaitsForTheRunningCall) {
  Counter begun, done;
  PeriodicThread thread(milliseconds(1), [&] {
    begun.Add();
    done.Add();
  });
  begun.Await(1);
  thread.Stop();
  EXPECT_EQ(done.calls(), begun.calls());
}

TEST(PeriodicThreadTest, LackOfMemoryEndsOneCall) {
  Counter counter;
  const PeriodicThread thread(milliseconds(1), [&] {
    counter.Add();
    throw std::bad_alloc();
  });
  counter.Await(2);
}

}  // namespace
}  // namespace fensi
