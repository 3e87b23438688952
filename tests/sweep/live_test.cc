// A table that is written while it is compared, and an index that follows some writes behind: no false alarm, whatever
// the threads do, and what is damaged beside them is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <set>
#include <thread>

#include "support/step_clock.h"
#include "support/sweep_world.h"
#include "tests/support/matchers.h"

namespace fensi::sweep {
namespace {

constexpr int kRows = 200;
constexpr size_t kLag = 3;  // writes that the index is behind at most
constexpr int kMostSteps = 4'000;

/// Moves rows to other values, and some of them there and back without a trace.
class Writer {
 public:
  Writer(SweepWorld* world, StepClock* clock) : world_(world), clock_(clock) {
    for (int i = 0; i < kRows; ++i) {
      world_->PutSource(Row(i), "f1:from", "b", 1);
      shown_[Row(i)] = {"b", 1};
      world_->PutCell(EntryOf(Row(i), shown_[Row(i)]), 1);
    }
    thread_ = std::thread([this] {
      // Versions and tombstones slow every reader down, the more the slower it is: under a sanitizer without end.
      for (int i = 0; i < kMostSteps && !stopped_; ++i) Step();
      FollowAll(0);
      while (!stopped_) clock_->Step();
    });
  }
  ~Writer() {
    stopped_ = true;
    thread_.join();
  }

 private:
  struct Shown {
    std::string value;
    int64_t timestamp = 0;
  };
  struct Change {
    std::string row;
    Shown before, after;
  };

  static std::string Row(int number) { return "moving" + std::to_string(number); }
  static mapping::Entry EntryOf(const std::string& row, const Shown& shown) {
    static thread_local std::string key, value;
    key = row;
    value = std::to_string(shown.timestamp);
    return {"x_table", shown.value, "f1", key, value};
  }

  void Step() {
    const std::string row = Row(static_cast<int>(random_() % kRows));
    const Shown before = shown_[row];
    const Shown after{before.value == "b" ? "c" : "b", ++time_};
    world_->PutSource(row, "f1:from", after.value, after.timestamp);
    changes_.push_back({row, before, after});
    shown_[row] = after;
    // Twice within two rounds, and at the very moments at which they look, no comparison could tell.
    if (random_() % 4 == 0 && went_back_.insert(row).second) {
      FollowAll(0);
      world_->DeleteSource(row, "f1:from", after.timestamp);
      changes_.push_back({row, after, before});
      shown_[row] = before;
    }
    FollowAll(kLag);
    clock_->Step();
  }

  void FollowAll(size_t but) {
    for (; changes_.size() > but; changes_.pop_front()) {
      const Change& change = changes_.front();
      world_->PutCell(EntryOf(change.row, change.after), ++version_);
      if (change.before.value != change.after.value) {
        world_->RemoveCell(EntryOf(change.row, change.before), version_ - 1);
      }
    }
  }

  SweepWorld* const world_;
  StepClock* const clock_;
  std::mt19937 random_{7};
  std::map<std::string, Shown> shown_;
  std::set<std::string> went_back_;
  std::deque<Change> changes_;
  int64_t time_ = 10, version_ = 10;
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

TEST(Live, ATableThatMovesRaisesNoAlarmAndDamageIsFound) {
  SweepWorld world(FollowIndex());
  for (const char* row : {"still1", "still2", "still3"}) {
    world.PutSource(row, "f1:from", "m");
    world.Index(row);
  }
  world.RemoveCell(Follower("m", "still1"));
  world.PutCell(Follower("m", "still2", "7"));
  world.PutCell(Follower("o", "still3"));
  StepClock clock;
  const Writer writer(&world, &clock);
  int64_t in_flight = 0;
  for (int round = 0; round < 16; ++round) {
    FindingList found;
    CompareOptions options;
    options.digest = round % 2 == 1;
    options.judge.recheck = std::chrono::milliseconds(kLag + 3);
    Comparison comparison(&world.index(), world.store(), &clock, options, &found);
    ASSERT_TRUE(comparison.Run().ok());
    std::erase_if(found.findings, [](const Finding& finding) { return finding.kind == Finding::Kind::kUndecided; });
    ASSERT_THAT(found.Texts(),
                ElementsAre("content_differs still2 -> x_table m f1:still2", "missing still1 -> x_table m f1:still1",
                            "orphan still3 -> x_table o f1:still3"));
    in_flight += comparison.counts().in_flight;
  }
  EXPECT_GT(in_flight, 0);
}

}  // namespace
}  // namespace fensi::sweep
