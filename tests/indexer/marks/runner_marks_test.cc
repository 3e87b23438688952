// An owner of partitions says how far the index is when that is so, and only then (M20).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/mutex.h"
#include "indexer/index_runner.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "tests/doubles/fake_assignment.h"
#include "tests/doubles/memory_source.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/world.h"
#include "tests/support/eventually.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using consumer::Mark;
using ::testing::Optional;

constexpr char kMeta[] = "fensi_meta";

Mark MarkOf(int64_t marker, int64_t members_time = 1'000'000) {
  return {.calls = {{"a,1,2", marker, marker}}, .members = {"a,1,2"}, .members_time = members_time};
}

class RunnerMarksTest : public ::testing::Test {
 protected:
  void MakeMeta() { Must(world_.store()->CreateTable(meta::MetaTable(kMeta), {})); }
  /// In one batch of each partition, unless said otherwise.
  Status Run(size_t batch_records = 100) {
    source_ =
        std::make_unique<consumer::MemorySource>(log_, consumer::MemorySourceOptions{.batch_records = batch_records});
    const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
    runner_ = std::make_unique<indexer::IndexRunner>(
        index, source_.get(), world_.faulty(), world_.letters(), world_.clock(),
        indexer::RunnerOptions{.workers = 2, .meta_table = kMeta, .mark_period = std::chrono::milliseconds(10)});
    return runner_->Run();
  }
  meta::IndexState State() {
    const meta::IndexRecord record({world_.store(), kMeta, meta::IndexRow(world_.index().name())});
    const auto state = record.Read();
    EXPECT_TRUE(state.ok()) << state.status().message();
    EXPECT_TRUE(state->has_value());
    return state->value_or(meta::IndexState());
  }
  void Follow(const std::string& row, const std::string& cell) {
    log_->Append(0, {.table = "source", .row = row, .cells = {ParseCell(cell)}, .sequence_id = ++sequence_});
    world_.ApplyToSource(log_->at(0).messages.back().event);
  }

  World world_{ValueRule(), true};
  std::shared_ptr<consumer::MemoryLog> log_ = std::make_shared<consumer::MemoryLog>(1);
  uint64_t sequence_ = 0;
  std::unique_ptr<consumer::MemorySource> source_;
  std::unique_ptr<indexer::IndexRunner> runner_;
};

TEST_F(RunnerMarksTest, SayHowFarTheIndexIs) {
  MakeMeta();
  Follow("r", "k=b@11");
  log_->AppendMark(0, MarkOf(5'000));
  log_->AppendMark(0, MarkOf(6'000));
  ASSERT_TRUE(Run(1).ok());
  EXPECT_THAT(State().complete, Optional(4'999));
  EXPECT_EQ(State().basis, "markers");
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_EQ(runner_->counts().events, 1);
}

TEST_F(RunnerMarksTest, AServerThatIsSilentIsNamedAsLongAsItIs) {
  MakeMeta();
  std::string told;  // when the event behind the marks is written
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call == store::FaultyStore::Call::kPut) told = runner_->trouble().all();
    return Status();
  });
  const auto both = [](int64_t time) { return Mark{.members = {"a,1,2", "b,1,2"}, .members_time = time}; };
  log_->AppendMark(0, both(100'000));
  log_->AppendMark(0, MarkOf(140'000, 0));
  Follow("r", "k=b@11");
  ASSERT_TRUE(Run(1).ok());
  EXPECT_THAT(told, HasSubstr("no replication marker of region server b,1,2 for 40 s"));
  EXPECT_EQ(runner_->trouble().all(), "") << "who has no partition has none that is held back";
  log_ = std::make_shared<consumer::MemoryLog>(1);
  log_->AppendMark(0, both(100'000));
  log_->AppendMark(0, MarkOf(140'000, 0));
  log_->AppendMark(0, {.calls = {{"b,1,2", 141'000, 141'000}}});
  Follow("s", "k=b@11");
  ASSERT_TRUE(Run(1).ok());
  EXPECT_EQ(told, "");
}

TEST_F(RunnerMarksTest, OfAllPartitionsTheSlowestCounts) {
  MakeMeta();
  log_ = std::make_shared<consumer::MemoryLog>(2);
  for (const int64_t marker : {5'000, 6'000}) log_->AppendMark(0, MarkOf(marker));
  ASSERT_TRUE(Run().ok());
  EXPECT_EQ(State().complete, std::nullopt) << "nothing is known of partition 1";
  for (const int64_t marker : {2'000, 3'000}) log_->AppendMark(1, MarkOf(marker));
  ASSERT_TRUE(Run().ok());
  EXPECT_THAT(State().complete, Optional(1'999));
}

// What a former owner knew of the servers may be of a former time.
TEST_F(RunnerMarksTest, ANewOwnerBeginsWithoutKnowledge) {
  MakeMeta();
  log_->AppendMark(0, MarkOf(5'000));
  ASSERT_TRUE(Run().ok());
  log_->AppendMark(0, MarkOf(6'000));
  ASSERT_TRUE(Run().ok());
  EXPECT_EQ(State().complete, std::nullopt);
}

// The source shows a change later than it tells of it: until the second look the index has what was before.
TEST_F(RunnerMarksTest, ARowInDoubtHoldsThemBackUntilItsSecondLook) {
  MakeMeta();
  world_.ShowSourceLate(1);
  Follow("r", "k=b@11");
  Follow("r", "D:k@11");
  log_->AppendMark(0, MarkOf(5'000));
  log_->AppendMark(0, MarkOf(6'000));
  std::atomic<int> looks = 0;
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    if (call != store::FaultyStore::Call::kGet || table != "source" || ++looks < 2) return Status();
    return Status(StatusCode::kInternal, "the second look fails");
  });
  EXPECT_EQ(Run().code(), StatusCode::kInternal);
  EXPECT_GE(looks, 2);
  EXPECT_EQ(State().complete, std::nullopt);
  world_.faulty()->SetObserver(nullptr);
  world_.ShowSource();
  EXPECT_TRUE(Run().ok());
  EXPECT_THAT(State().complete, Optional(4'999));
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(RunnerMarksTest, ABatchThatWasNotAppliedTellsNothing) {
  MakeMeta();
  Follow("r", "k=b@11");
  log_->AppendMark(0, MarkOf(5'000));
  log_->AppendMark(0, MarkOf(6'000));
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    const bool entries = call == store::FaultyStore::Call::kPut && table == world_.index().table();
    return entries ? Status(StatusCode::kInternal, "no") : Status();
  });
  EXPECT_FALSE(Run().ok());
  EXPECT_EQ(State().complete, std::nullopt);
}

TEST_F(RunnerMarksTest, WithoutTheTableTheIndexWorksAndSaysWhatIsMissing) {
  Follow("r", "k=b@11");
  log_->AppendMark(0, MarkOf(5'000));
  log_->AppendMark(0, MarkOf(6'000));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_THAT(runner_->trouble().all(), HasSubstr(kMeta));
}

TEST_F(RunnerMarksTest, WhatCouldNotBeSaidIsSaidLater) {
  MakeMeta();
  world_.faulty()->SetObserver([](store::FaultyStore::Call, const std::string&) {
    return Status(StatusCode::kUnavailable, "the store is away");
  });
  std::string trouble;
  Mutex mu;
  const auto told = [&](const std::string& words) {
    const MutexLock lock(mu);
    return trouble.find(words) != std::string::npos;
  };
  const meta::VersionedMetaRow row(world_.faulty(), kMeta, meta::IndexRow(world_.index().name()), world_.clock());
  indexer::MarkWriter writer(
      meta::IndexRecord(row), {.incarnation = "1111111111111111"}, std::chrono::milliseconds(5),
      [&](const RedactableText& words) {
        const MutexLock lock(mu);
        trouble = words.all();
      },
      [] { return Status(); }, [](const std::string&) { return Status(); });
  const auto ours = std::make_shared<FakeAssignment>();
  writer.Note(ours, 70, "markers");
  writer.Note(ours, 60, "markers");
  ASSERT_TRUE(Eventually([&] { return told("away"); }));
  world_.faulty()->SetObserver(nullptr);
  EXPECT_EQ(writer.complete(), std::nullopt);
  writer.Finish();
  EXPECT_THAT(State().complete, Optional(70));
  EXPECT_THAT(writer.complete(), Optional(70));
  EXPECT_EQ(trouble, "");
}

TEST_F(RunnerMarksTest, ADaemonKnowsTheWatermarkThatOthersWroteBefore) {
  MakeMeta();
  const meta::VersionedMetaRow row(world_.store(), kMeta, meta::IndexRow(world_.index().name()), world_.clock());
  for (const std::optional<int64_t>& before : {std::optional<int64_t>(), std::optional<int64_t>(70)}) {
    indexer::MarkWriter writer(
        meta::IndexRecord(row), {.incarnation = "1111111111111111"}, std::chrono::hours(1),
        [](const RedactableText&) {}, [] { return Status(); }, [](const std::string&) { return Status(); });
    writer.Finish();
    EXPECT_EQ(writer.complete(), before);
    Must(meta::IndexRecord(row).NoteMarks("1111111111111111", {{{0, 70}}, 1, "markers"}).status());
  }
}

TEST_F(RunnerMarksTest, AnIndexWhoseRowAPersonDeletedIsRegisteredAgain) {
  MakeMeta();
  const meta::VersionedMetaRow row(world_.store(), kMeta, meta::IndexRow(world_.index().name()), world_.clock());
  std::atomic<int> asked = 0;
  std::atomic<bool> allowed = true;
  indexer::MarkWriter writer(
      meta::IndexRecord(row), {.incarnation = "1111111111111111"}, std::chrono::milliseconds(2),
      [](const RedactableText&) {},
      [&] {
        ++asked;
        return allowed ? Status() : Status(StatusCode::kConfiguration, "the index was made again");
      },
      [](const std::string&) { return Status(); });
  const auto ours = std::make_shared<FakeAssignment>();
  const auto await = [&](auto is_so) {
    for (int i = 0; i < 20'000 && !is_so(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return is_so();
  };
  const auto registered = [&] { return row.Read("incarnation")->has_value(); };
  writer.Note(ours, 70, "markers");
  ASSERT_TRUE(await([&] { return registered() && State().complete == 70; }));
  const store::RowMutation gone{row.row(), {{.family = "i", .timestamp = 1'000, .type = CellType::kDeleteFamily}}};
  Must(world_.store()->Delete(kMeta, {&gone, 1}).status());
  writer.Note(ours, 5'000, "markers");
  EXPECT_TRUE(await([&] { return registered() && State().complete == 5'000; }));
  // As a process that slept, and registered an index that does not exist any more.
  Must(meta::IndexRecord(row).Register({.incarnation = "2222222222222222"}));
  writer.Note(ours, 5'500, "markers");
  EXPECT_TRUE(await([&] { return State().incarnation == "1111111111111111" && State().complete == 5'500; }));
  // As a daemon that slept while its index was made again.
  allowed = false;
  const store::RowMutation again{row.row(), {{.family = "i", .timestamp = 6'000, .type = CellType::kDeleteFamily}}};
  Must(world_.store()->Delete(kMeta, {&again, 1}).status());
  const int before = asked;
  writer.Note(ours, 7'000, "markers");
  EXPECT_TRUE(await([&] { return asked > before + 2; }));
  EXPECT_FALSE(registered());
}

TEST_F(RunnerMarksTest, WhatNobodyConfirmsToBeOfTheStreamThatWasBegunIsNotSaid) {
  MakeMeta();
  const meta::VersionedMetaRow row(world_.store(), kMeta, meta::IndexRow(world_.index().name()), world_.clock());
  const auto ours = std::make_shared<FakeAssignment>("t", 0, 1), lost = std::make_shared<FakeAssignment>("t", 0, 1);
  const auto told = [&](const std::shared_ptr<FakeAssignment>& assignment, const Status& confirmed) {
    indexer::MarkWriter writer(
        meta::IndexRecord(row), {.incarnation = "1111111111111111"}, std::chrono::hours(1),
        [](const RedactableText&) {}, [] { return Status(); }, [&](const std::string&) { return confirmed; });
    writer.Note(assignment, 70, "markers");
    writer.Finish();
    return State().complete;
  };
  lost->Lose();
  EXPECT_EQ(told(ours, Status(StatusCode::kGap, "the topic was deleted and created again")), std::nullopt);
  EXPECT_EQ(told(ours, Status(StatusCode::kUnavailable, "no answer")), std::nullopt);
  EXPECT_EQ(told(lost, {}), std::nullopt) << "its next owner may have found another stream";
  EXPECT_EQ(told(ours, {}), 70);
}

}  // namespace
}  // namespace fensi::testing
