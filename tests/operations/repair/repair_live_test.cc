// A repair of rows that are written meanwhile, by threads as they come: everything that was damaged is right in the
// end, and nothing else was touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <random>
#include <thread>

#include "base/mutex.h"
#include "indexer/requests/told_requests.h"
#include "repair_world.h"
#include "tests/doubles/fake_assignment.h"
#include "tests/support/matchers.h"
#include "tests/sweep/support/step_clock.h"

namespace fensi::operations {
namespace {

using sweep::StepClock;

constexpr int kRows = 60;
constexpr size_t kLag = 3;  // changes that the index is behind at most

/// Moves rows, follows them some changes behind, and does what it is asked for in between, as one owner of all rows.
class Daemon final : public RowOwners {
 public:
  Daemon(RepairWorld* world, StepClock* clock)
      : world_(world), clock_(clock), assignment_(std::make_shared<FakeAssignment>()), thread_([this] { Run(); }) {}
  ~Daemon() override {
    stopped_ = true;
    thread_.join();
  }

  Status Ask(consumer::Request request) override {
    const MutexLock lock(mu_);
    asked_.push_back(std::move(request));
    return {};
  }
  Status Flush() override { return {}; }
  Result<bool> AllDone() override {
    const MutexLock lock(mu_);
    return asked_.empty() && !busy_;
  }

 private:
  void Run() {
    indexer::Counters counters;
    indexer::MaintainerOptions context{&world_->index(), world_->tables()->store(), &letters_, &counters, true};
    context.clock = clock_;
    context.layout = world_->layout();
    indexer::StatefulMaintainer maintainer(context, assignment_, false);
    while (!stopped_ || !changes_.empty()) {
      if (!stopped_) Move();
      Follow(&maintainer, stopped_ ? 0 : kLag);
      if (random_() % 5 == 0) DoAsked(&maintainer);
      clock_->Step();
    }
    DoAsked(&maintainer);
  }

  void Move() {
    ChangeEvent event{.table = world_->index().source_table(), .row = "moving" + std::to_string(random_() % kRows)};
    event.cells.push_back({.family = "f1", .qualifier = "from", .timestamp = ++time_});
    event.cells.back().value = random_() % 2 == 0 ? "b" : "c";
    const store::RowMutation mutation{event.row, event.cells};
    sweep::MustBe(world_->tables()->store()->Put(event.table, {&mutation, 1}).status());
    changes_.push_back(std::move(event));
  }

  void Follow(indexer::StatefulMaintainer* maintainer, size_t but) {
    for (; changes_.size() > but; changes_.pop_front()) {
      consumer::Batch batch{.assignment = assignment_};
      consumer::Record record;
      record.event = changes_.front();
      record.event.sequence_id = static_cast<uint64_t>(record.event.cells[0].timestamp);
      batch.records.push_back(std::move(record));
      sweep::MustBe(maintainer->Apply(batch));
      if (maintainer->second_look()) sweep::MustBe(maintainer->RereadSource(batch));
    }
  }

  void DoAsked(indexer::StatefulMaintainer* maintainer) {
    std::vector<consumer::Request> requests;
    {
      const MutexLock lock(mu_);
      requests.swap(asked_);
      busy_ = true;
    }
    const auto batch = std::make_shared<consumer::RequestBatch>(consumer::RequestBatch{.assignment = assignment_});
    for (const consumer::Request& request : requests) {
      batch->records.push_back({.request = request, .key = request.row});
    }
    const indexer::ToldRequests told = indexer::Told(world_->index(), world_->options().incarnation, batch);
    sweep::MustBe(maintainer->Apply(told));
    if (maintainer->second_look()) sweep::MustBe(maintainer->RereadSource(told));
    const MutexLock lock(mu_);
    busy_ = false;
  }

  RepairWorld* const world_;
  StepClock* const clock_;
  const std::shared_ptr<FakeAssignment> assignment_;
  consumer::MemoryDeadLetters letters_;
  std::mt19937 random_{11};
  std::deque<ChangeEvent> changes_;
  int64_t time_ = 100;
  std::atomic<bool> stopped_{false};
  Mutex mu_;
  std::vector<consumer::Request> asked_ ABSL_GUARDED_BY(mu_);
  bool busy_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

std::vector<std::string> LeftOf(RepairWorld* world, StepClock* clock, Daemon* daemon) {
  RepairOptions options = world->options();
  options.wait = std::chrono::hours(1);
  options.judge.recheck = std::chrono::milliseconds(kLag + 30);
  FoundTargets found = world->Found();
  Repair repair(&world->index(), world->tables()->store(), clock, options, &found, daemon);
  sweep::MustBe(repair.Ask());
  const Result<bool> done = repair.Await();
  EXPECT_TRUE(done.ok() && *done);
  sweep::FindingList left;
  sweep::MustBe(repair.JudgeAgain(&left));
  std::erase_if(left.findings,
                [](const sweep::Finding& finding) { return finding.kind == sweep::Finding::Kind::kUndecided; });
  return left.Texts();
}

TEST(LiveRepair, WhatIsDamagedBesideAWriterIsRightInTheEnd) {
  for (int round = 0; round < 5; ++round) {
    RepairWorld world(sweep::FollowIndex());
    for (int i = 0; i < 20; ++i) world.Put("still" + std::to_string(i), "f1:from", "m", 10);
    for (int i = 0; i < kRows; ++i) world.Put("moving" + std::to_string(i), "f1:from", "b", 10);
    for (int i = 0; i < 5; ++i) {
      static thread_local std::string rows[4];
      const std::string number = std::to_string(i);
      rows[0] = "still" + number, rows[1] = "still1" + number, rows[2] = "moving" + number,
      rows[3] = "moving1" + number;
      world.tables()->RemoveCell(sweep::Follower("m", rows[0]), 5'000);
      world.tables()->PutCell(sweep::Follower("m", rows[1], "7"), int64_t{1} << 60);
      world.tables()->PutCell(sweep::Follower("nobody", rows[2]), int64_t{1} << 60);
      world.tables()->PutCell(sweep::Follower("b", rows[3], "7"), int64_t{1} << 60);
    }
    EXPECT_EQ(world.Verify().size(), 20u);
    {
      StepClock clock;
      Daemon daemon(&world, &clock);
      // The same by two at once.
      std::thread other([&] { EXPECT_THAT(LeftOf(&world, &clock, &daemon), IsEmpty()); });
      EXPECT_THAT(LeftOf(&world, &clock, &daemon), IsEmpty());
      other.join();
    }
    EXPECT_THAT(world.Verify(), IsEmpty());
  }
}

}  // namespace
}  // namespace fensi::operations
