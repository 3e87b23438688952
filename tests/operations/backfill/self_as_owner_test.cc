// With an embedded store who scans is the owner: whatever call it dies in, what may have begun is done to its end
// first, and the index is what its source says, also when the source has changed meanwhile.
#include "operations/backfill/self_as_owner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/in_process_owner.h"
#include "indexer/index_meta.h"
#include "indexer/tables.h"
#include "sweep/jobs/row_snapshot.h"
#include "tests/doubles/memory_dead_letters.h"
#include "tests/sweep/support/sweep_world.h"

namespace fensi::operations {
namespace {

using sweep::MustBe;

constexpr int kOwnedRows = 40;

class SelfAsOwnerTest : public ::testing::Test {
 protected:
  void Start() {
    world_ = std::make_unique<sweep::SweepWorld>(sweep::FollowIndex());
    MustBe(world_->store()->CreateTable(indexer::StateTablePlan(world_->index(), {}).table, {}));
    for (int i = 0; i < kOwnedRows; ++i) world_->PutSource(Row(i), "f1:from", "b" + std::to_string(i % 3), 10);
  }
  static std::string Row(int number) { return "r" + std::to_string(100 + number); }

  /// Scans all, as a process would that has just begun.
  Status Backfill() {
    auto owner = SelfAsOwner::Begin(std::shared_ptr<const mapping::Index>(std::shared_ptr<void>(), &world_->index()),
                                    world_->faulty(), letters_);
    FENSI_RETURN_IF_ERROR(owner.status());
    const auto sink = (*owner)->Sink(nullptr);
    FENSI_RETURN_IF_ERROR(sink.status());
    sweep::RowSnapshotScan scan(&world_->index(), world_->faulty(), SystemClock(), std::nullopt,
                                {.incarnation = (*owner)->incarnation(), .job = "j"},
                                [&](const consumer::Request& request) { return (*sink)->Send(request); });
    FENSI_RETURN_IF_ERROR(scan.Run({}, [&](const sweep::RowSnapshotScan::Page&) { return (*sink)->Flush(); }));
    return Status();
  }

  /// A first process, whose store dies in that call; ok: it was done before.
  Status DieIn(int call) {
    using store::FaultyStore;
    Start();
    const auto when = call % 2 == 0 ? FaultyStore::When::kBefore : FaultyStore::When::kAfter;
    world_->faulty()->FailCall(call, when, Status(StatusCode::kInternal, "died"));
    const Status died = Backfill();
    calls_ = world_->faulty()->Calls();
    world_->faulty()->Heal();
    return died;
  }

  /// Of every third row, as a process that has just begun.
  Status Repair() {
    indexer::InProcessOwner owner(&world_->index(), world_->faulty(), letters_.get(), SystemClock());
    FENSI_RETURN_IF_ERROR(owner.Open());
    const auto begun = indexer::IndexMeta(&world_->index(), world_->faulty()).Known();
    FENSI_RETURN_IF_ERROR(begun.status());
    std::vector<consumer::Request> requests;
    for (int i = 0; i < kOwnedRows; i += 3) {
      requests.push_back(
          {.kind = consumer::Request::Kind::kRecheck, .row = Row(i), .incarnation = (*begun)->incarnation});
    }
    return owner.Apply(std::move(requests));
  }

  const std::shared_ptr<consumer::DeadLetterSink> letters_ = std::make_shared<consumer::MemoryDeadLetters>();
  std::unique_ptr<sweep::SweepWorld> world_;
  int calls_ = 0;  // of the first process
};

TEST_F(SelfAsOwnerTest, BringsAllRowsIn) {
  Start();
  MustBe(Backfill());
  EXPECT_THAT(world_->Compare(), ::testing::IsEmpty());
  EXPECT_EQ(world_->counts().good, kOwnedRows);
}

TEST_F(SelfAsOwnerTest, WhateverCallItDiesInTheNextOneEndsExact) {
  for (int call = 1;; ++call) {
    const Status first = DieIn(call);
    if (!first.ok()) {
      EXPECT_THAT(first.message(), ::testing::HasSubstr("died")) << "call " << call;  // the reason, whoever met it
    }
    for (int i = 0; i < kOwnedRows; i += 2) world_->PutSource(Row(i), "f1:from", "moved", 20);
    MustBe(Backfill());
    ASSERT_THAT(world_->Compare(), ::testing::IsEmpty()) << "call " << call;
    // Some calls may fail without harm, as those that ask whether somebody paused the index.
    if (first.ok() && calls_ < call) {
      EXPECT_GT(call, 15);
      break;
    }
  }
}

/// A repair asks nobody what a backfill left undone: its looks come between, and the backfill ends what it had begun.
TEST_F(SelfAsOwnerTest, ARepairBetweenTheDeathAndTheNextOneDoesNoHarm) {
  for (int call = 1;; ++call) {
    const Status first = DieIn(call);
    for (int i = 0; i < kOwnedRows; i += 2) world_->PutSource(Row(i), "f1:from", "moved", 20);
    MustBe(Repair());
    for (int i = 0; i < kOwnedRows; i += 4) world_->PutSource(Row(i), "f1:from", "b0", 30);
    MustBe(Backfill());
    ASSERT_THAT(world_->Compare(), ::testing::IsEmpty()) << "call " << call;
    if (first.ok() && calls_ < call) break;
  }
}

}  // namespace
}  // namespace fensi::operations
