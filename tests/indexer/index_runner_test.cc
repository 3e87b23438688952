// The runner: several workers and partitions, dead letters, loss of a partition, an end that is clean.
#include "indexer/index_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>

#include "indexer/remedies.h"
#include "tests/doubles/memory_source.h"
#include "tests/doubles/pointed_store.h"
#include "tests/indexer/support/refusing_store.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/two_logs.h"
#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

ChangeEvent Follow(const std::string& row, const std::string& key, int64_t timestamp) {
  return {.table = "source",
          .row = row,
          .cells = {{.family = "f", .qualifier = "k", .timestamp = timestamp, .value = key}},
          .sequence_id = static_cast<uint64_t>(timestamp)};
}

class IndexRunnerTest : public ::testing::Test {
 protected:
  Status Run(consumer::MemorySource* source, int workers = 1) { return Run(&world_, &refusing_, source, workers); }
  Status Run(World* world, store::Store* store, consumer::MemorySource* source, int workers) {
    const auto index = std::shared_ptr<const mapping::Index>(&world->index(), [](const mapping::Index*) {});
    runner_ = std::make_unique<indexer::IndexRunner>(index, source, store, world->letters(), world->clock(),
                                                     indexer::RunnerOptions{.workers = workers, .timings = &timings_});
    return runner_->Run();
  }
  std::shared_ptr<consumer::MemoryLog> LogOf(int32_t partitions, int events) {
    auto log = std::make_shared<consumer::MemoryLog>(partitions);
    for (int i = 0; i < events; ++i) {
      const ChangeEvent event =
          Follow("r" + std::to_string(i % 50), std::string(1, static_cast<char>('a' + i % 7)), i + 1);
      world_.ApplyToSource(event);
      log->Append(i % 50 % partitions, event);
    }
    return log;
  }
  World world_{ValueRule(), false};
  RefusingStore refusing_{world_.faulty()};
  indexer::Timings timings_;
  std::unique_ptr<indexer::IndexRunner> runner_;
};

TEST_F(IndexRunnerTest, WorkersShareThePartitions) {
  consumer::MemorySource source(LogOf(4, 1000), {.batch_records = 7});
  EXPECT_TRUE(Run(&source, 3).ok());
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_EQ(runner_->counts().events, 1000);
}

TEST_F(IndexRunnerTest, CountsAnEventAfterTheRestOfItsBatch) {
  constexpr int kEvents = 3000;
  consumer::MemorySource source(LogOf(1, kEvents), {.batch_records = 1});
  std::optional<std::thread> reader;
  std::atomic<bool> ended = false;
  int64_t early = 0;
  world_.faulty()->SetObserver([&](store::FaultyStore::Call, const std::string&) {
    if (reader) return Status();
    reader.emplace([&] {
      for (int64_t events = 0; events < kEvents && !ended;) {
        const indexer::Counters counts = runner_->counts();
        events = counts.events;
        if (counts.batches < events) ++early;
        for (const Histogram& phase : timings_.phases) {
          if (phase.snapshot().count < events) ++early;
        }
      }
    });
    return Status();
  });
  EXPECT_TRUE(Run(&source).ok());
  ended = true;
  reader->join();
  EXPECT_EQ(early, 0);
}

TEST_F(IndexRunnerTest, ANewIndexReadsNoState) {
  auto log = std::make_shared<consumer::MemoryLog>(1);
  for (int i = 0; i < 100; ++i) log->Append(0, Follow("r" + std::to_string(i), "a", 5));
  consumer::MemorySource source(log, {.batch_records = 10});
  EXPECT_TRUE(Run(&source).ok());
  EXPECT_EQ(runner_->counts().state_reads, 0);
}

TEST_F(IndexRunnerTest, ABadMessageIsADeadLetterWithItsCoordinatesAndTheRestGoesOn) {
  auto log = LogOf(1, 10);
  log->AppendBad(0, "key", "garbage", "not an event");
  log->Append(0, Follow("last", "a", 99));
  consumer::MemorySource source(log);
  EXPECT_TRUE(Run(&source).ok());
  const auto letters = world_.letters()->letters();
  ASSERT_EQ(letters.size(), 1u);
  EXPECT_EQ(letters[0].index, "inverse");
  EXPECT_EQ(letters[0].offset, 10);
  EXPECT_EQ(letters[0].original, "garbage");
  EXPECT_EQ(letters[0].original_key, "key");
  EXPECT_THAT(letters[0].reason, HasSubstr("not an event"));
  EXPECT_EQ(world_.Actual().count({"a", "f:last"}), 1u);
}

/// A source with requests beside its stream.
class IndexRunnerBesideRequestsTest : public IndexRunnerTest {
 protected:
  IndexRunnerBesideRequestsTest() {
    Must(indexer::MetaRow(&read_.index(), read_.store()).Write("incarnation", 1, kIncarnation));
    log_->at(0).requests.emplace();
  }
  Status RunAll() {
    consumer::MemorySource source(log_, {.batch_records = 3});
    return Run(&read_, read_.faulty(), &source, 2);
  }
  std::string Position() {
    const auto cell = indexer::MetaRow(&read_.index(), read_.store()).Read("requests/0");
    return cell->has_value() ? (*cell)->value.substr(0, (*cell)->value.size() - 17) : "none";
  }
  World read_{ValueRule(), true};
  std::shared_ptr<consumer::MemoryLog> log_ = std::make_shared<consumer::MemoryLog>(1);
};

TEST_F(IndexRunnerBesideRequestsTest, BothLogsAreAppliedAndThePositionIsKept) {
  for (int i = 0; i < 10; ++i) {
    const std::string row = "r" + std::to_string(i);
    read_.ApplyToSource(Follow(row, "a", 5));
    log_->at(0).requests->push_back(ImageOf(&read_, row));
  }
  read_.ApplyToSource(Follow("r0", "b", 9));
  log_->Append(0, Follow("r0", "b", 9));
  log_->at(0).requests->push_back(ImageOf(&read_, "r0"));
  log_->at(0).requests->back().incarnation = "ffffffffffffffff";
  EXPECT_TRUE(RunAll().ok());
  EXPECT_EQ(read_.Difference(), "");
  EXPECT_EQ(runner_->counts().requests, 11);
  EXPECT_EQ(runner_->counts().stale_requests, 1);
  EXPECT_EQ(runner_->counts().events, 1);
  EXPECT_EQ(Position(), "11 11");
  EXPECT_TRUE(RunAll().ok());
  EXPECT_EQ(runner_->counts().requests, 0) << "all is done";
}

/// The index is dropped, and made again by another process, while this one has it open.
TEST_F(IndexRunnerBesideRequestsTest, RequestsOfAnIndexThatWasMadeAgainAreNotDoneByWhoOpenedTheFormer) {
  log_->at(0).requests->push_back(ImageOf(&read_, "r0"));
  log_->at(0).requests->back().incarnation = "ffffffffffffffff";
  bool opened = false;
  consumer::MemorySource source(
      log_, {.dies = [&](std::string_view call) {
        if (call != "begin" || std::exchange(opened, true)) return false;
        read_.Reset();
        Must(indexer::MetaRow(&read_.index(), read_.store()).Write("incarnation", 1, "ffffffffffffffff"));
        return false;
      }});
  const Status ended = Run(&read_, read_.faulty(), &source, 1);
  EXPECT_EQ(ended.code(), StatusCode::kConfiguration) << ended.message();
  EXPECT_THAT(ended.message(), HasSubstr("was dropped"));  // it may look before the index is made again
  EXPECT_EQ(runner_->counts().stale_requests, 0);
  EXPECT_EQ(Position(), "none") << "nothing is counted as done";
}

TEST_F(IndexRunnerTest, AnIndexThatIsMadeAgainUnderItsOwnerStopsIt) {
  std::atomic<bool> stopped = false, once = false, stopped_before = false;
  consumer::MemorySource source(LogOf(1, 100), {.batch_records = 10, .dies = [&](std::string_view call) {
                                                  stopped = stopped || call == "stop";
                                                  return false;
                                                }});
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call != store::FaultyStore::Call::kPut || once.exchange(true)) return Status();
    world_.Reset();
    Must(indexer::IndexMeta(&world_.index(), world_.store()).Open());
    for (int i = 0; i < 20'000 && !stopped; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    stopped_before = stopped.load();  // before anything else could learn of it
    return Status(StatusCode::kCancelled, "the test has seen enough");
  });
  const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
  indexer::IndexRunner runner(index, &source, world_.faulty(), world_.letters(), world_.clock(),
                              indexer::RunnerOptions{.pause_period = std::chrono::milliseconds(5)});
  const Status ended = runner.Run();
  EXPECT_TRUE(stopped_before);
  EXPECT_EQ(ended.code(), StatusCode::kConfiguration) << ended.message();
  EXPECT_THAT(ended.message(), HasSubstr("was dropped"));  // it may look before the index is made again
}

TEST_F(IndexRunnerBesideRequestsTest, ALookThatARequestLeftOpenIsDoneAgainBeforeItIsDone) {
  read_.ApplyToSource(Follow("r", "a", 5));
  log_->at(0).requests->push_back(ImageOf(&read_, "r"));
  read_.ShowSourceLate(1);
  read_.ApplyToSource(Follow("r", "b", 6));
  log_->Append(0, Follow("r", "b", 6));
  bool shown = false;
  read_.faulty()->SetObserver([&](store::FaultyStore::Call, const std::string&) {
    if (Position() == "0 1" && read_.clock()->WallMillis() >= 2'000 && !std::exchange(shown, true)) read_.ShowSource();
    return Status();
  });
  EXPECT_TRUE(RunAll().ok());
  EXPECT_TRUE(shown);
  EXPECT_EQ(read_.Difference(), "");
  EXPECT_EQ(Position(), "1 1");
}

TEST_F(IndexRunnerBesideRequestsTest, APartitionThatAnotherOwnerNotedIsGivenUpAndOpenedAgain) {
  read_.ApplyToSource(Follow("r", "a", 5));
  log_->at(0).requests->push_back(ImageOf(&read_, "r"));
  bool noted = false;
  read_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call != store::FaultyStore::Call::kCompareAndPut || std::exchange(noted, true)) return Status();
    return indexer::MetaRow(&read_.index(), read_.store()).Write("requests/0", 1, "0 1 aaaaaaaaaaaaaaaa");
  });
  EXPECT_TRUE(RunAll().ok());
  EXPECT_TRUE(noted);
  EXPECT_EQ(read_.Difference(), "");
  EXPECT_EQ(Position(), "1 1");
}

TEST_F(IndexRunnerBesideRequestsTest, RequestsThatMayHaveBegunAndAreGoneStopTheIndex) {
  Must(indexer::MetaRow(&read_.index(), read_.store()).Write("requests/0", 1, "0 1 aaaaaaaaaaaaaaaa"));
  EXPECT_EQ(RunAll().code(), StatusCode::kGap);
}

TEST_F(IndexRunnerTest, AStoreThatIsAwayIsWaitedFor) {
  auto log = LogOf(1, 100);
  for (int call = 3; call < 20; ++call) world_.faulty()->FailCall(call, store::FaultyStore::When::kBefore);
  consumer::MemorySource source(log, {.batch_records = 9});
  EXPECT_TRUE(Run(&source).ok());
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(IndexRunnerTest, ATableThatIsMissingStopsTheIndexWithTheWayBack) {
  consumer::MemorySource source(LogOf(1, 20));
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    const bool put = call == store::FaultyStore::Call::kPut && world_.faulty()->Calls() > 20;
    return put ? Status(StatusCode::kNotFound, "there is no table index") : Status();
  });
  const Status ended = Run(&source);
  EXPECT_EQ(ended.code(), StatusCode::kNotFound);
  EXPECT_THAT(ended.message(),
              HasSubstr("there is no table index. If the state table is missing, build the index again"));
  EXPECT_THAT(ended.message(), HasSubstr(indexer::RepairRemedy(world_.index())));
}

/// What a client of Kafka says when the broker has not the next offset any more.
class GapSource final : public consumer::ChangeSource {
 public:
  consumer::Work Next() override { return consumer::End{Status(StatusCode::kGap, "offset 7 is gone")}; }
  Status Begin(const std::shared_ptr<consumer::Assignment>&, int64_t) override { return {}; }
  using consumer::ChangeSource::Done;
  void Done(const consumer::Batch&) override {}
  Progress progress() const override { return {}; }
  void Abandon(const std::shared_ptr<consumer::Assignment>&) override {}
  void Stop() override {}
  Status Close() override { return {}; }
};

/// An owner that asked for its commit, slept while its successor committed, and goes on.
class LateOpeningSource final : public consumer::ChangeSource {
 public:
  explicit LateOpeningSource(bool lost) {
    if (lost) assignment_->Lose();
  }
  consumer::Work Next() override {
    if (std::exchange(opened_, true)) return consumer::End{};
    return consumer::Opening{assignment_, std::nullopt, 0, 20};
  }
  Status Begin(const std::shared_ptr<consumer::Assignment>&, int64_t) override { return {}; }
  using consumer::ChangeSource::Done;
  void Done(const consumer::Batch&) override {}
  Progress progress() const override { return {}; }
  void Abandon(const std::shared_ptr<consumer::Assignment>&) override {}
  void Stop() override {}
  Status Close() override { return {}; }

 private:
  const std::shared_ptr<FakeAssignment> assignment_ = std::make_shared<FakeAssignment>("memory");
  bool opened_ = false;
};

TEST_F(IndexRunnerTest, ACommitThatALostPartitionDoesNotKnowStopsNothing) {
  const auto log = LogOf(1, 20);
  for (int run = 0; run < 2; ++run) {  // the second one records that the group has committed
    consumer::MemorySource source(log);
    ASSERT_TRUE(Run(&source).ok());
  }
  const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
  for (const bool lost : {true, false}) {
    LateOpeningSource late(lost);
    indexer::IndexRunner runner(index, &late, &refusing_, world_.letters(), world_.clock(), {});
    EXPECT_EQ(runner.Run().code(), lost ? StatusCode::kOk : StatusCode::kGap);
  }
}

TEST_F(IndexRunnerTest, AGapHasOneRemedyWhoeverFindsIt) {
  GapSource source;
  const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
  indexer::IndexRunner runner(index, &source, &refusing_, world_.letters(), world_.clock(), {});
  const Status ended = runner.Run();
  EXPECT_EQ(ended.code(), StatusCode::kGap);
  EXPECT_EQ(ended.message(), "offset 7 is gone. " + indexer::GapRemedy(world_.index()));
}

TEST_F(IndexRunnerTest, APartitionThatIsLostAndComesBackIsReadAgainFromItsCommit) {
  auto log = LogOf(1, 100);
  bool lost = false;
  consumer::MemorySource source(
      log, {.batch_records = 10, .after_done = [&](const consumer::Batch& batch) {
              if (batch.next_offset < 50 || lost) return;
              lost = true;
              std::dynamic_pointer_cast<FakeAssignment>(batch.assignment)->Fail(StatusCode::kFenced);
            }});
  EXPECT_TRUE(Run(&source).ok());
  EXPECT_TRUE(lost);
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_GT(runner_->counts().state_reads, 0) << "a new assignment knows no states";
}

TEST_F(IndexRunnerTest, TheOffsetOfABatchWithARowInDoubtWaitsForTheSecondLook) {
  World world(ValueRule(), true);
  world.ShowSourceLate(1);
  auto log = std::make_shared<consumer::MemoryLog>(1);
  uint64_t sequence = 0;
  for (const char* cell : {"k=b@11", "D:k@11"}) {
    log->Append(0, {.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = ++sequence});
    world.ApplyToSource(log->at(0).messages.back().event);
  }
  std::vector<int64_t> looks;
  world.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    if (call != store::FaultyStore::Call::kGet || table != "source") return Status();
    if (looks.size() == 1) world.ShowSource();
    looks.push_back(world.clock()->WallMillis());
    return Status();
  });
  std::optional<int64_t> done;
  consumer::MemorySource source(log,
                                {.after_done = [&](const consumer::Batch&) { done = world.clock()->WallMillis(); }});
  EXPECT_TRUE(Run(&world, world.faulty(), &source, 2).ok());
  ASSERT_EQ(looks.size(), 2u);
  EXPECT_GE(looks[1] - looks[0], 2000);
  EXPECT_GE(done.value_or(0), looks[1]);
  EXPECT_EQ(world.Difference(), "");
}

TEST_F(IndexRunnerTest, ABatchThatWaitsForMoreThanOneRoundIsDoneAfterTheLast) {
  World world(ValueRule(), true);
  world.TellReadPoints(/*catches_up=*/false);
  world.ShowSourceLate(1);
  auto log = std::make_shared<consumer::MemoryLog>(1);
  uint64_t sequence = 0;
  for (const char* cell : {"k=b@11", "D:k@11"}) {
    const ChangeEvent event{.table = "source", .row = "r", .cells = {ParseCell(cell)}, .sequence_id = ++sequence};
    world.ApplyToSource(event);
    log->Append(0, world.MakeBatch({&event, 1}).records.front().event);
  }
  store::PointedStore pointed(world.faulty(), "source", [&](const std::string&) { return world.PointNow(); });
  const int64_t begin = world.clock()->WallMillis();
  world.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    const bool is_late = world.clock()->WallMillis() - begin > 5'000;
    if (call == store::FaultyStore::Call::kGet && table == "source" && is_late) world.ShowSource();
    return Status();
  });
  std::optional<int64_t> done;
  consumer::MemorySource source(log,
                                {.after_done = [&](const consumer::Batch&) { done = world.clock()->WallMillis(); }});
  EXPECT_TRUE(Run(&world, &pointed, &source, 2).ok());
  EXPECT_GE(done.value_or(0) - begin, 5'000);
  EXPECT_EQ(world.Difference(), "");
}

TEST_F(IndexRunnerTest, AStopIsClean) {
  auto log = LogOf(2, 1000);
  consumer::MemorySource source(log, {.batch_records = 5});
  std::atomic<int> calls = 0;
  world_.faulty()->SetObserver([&](store::FaultyStore::Call, const std::string&) {
    if (++calls == 30) runner_->Stop();
    return Status();
  });
  EXPECT_TRUE(Run(&source, 2).ok());
  EXPECT_LT(runner_->counts().events, 1000);
  consumer::MemorySource rest(log);
  EXPECT_TRUE(Run(&rest, 2).ok());
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(IndexRunnerTest, ARejectedRowIsADeadLetterAndTheOthersAreThere) {
  auto log = std::make_shared<consumer::MemoryLog>(1);
  log->Append(0, Follow("r1", "a", 5));
  log->Append(0, Follow("r2", "a", 6));
  log->Append(0, Follow("r3", "c", 7));
  refusing_.Refuse("f", "r2");
  consumer::MemorySource source(log);
  EXPECT_TRUE(Run(&source).ok());
  EXPECT_EQ(world_.Actual(), (Entries{{{"a", "f:r1"}, "none"}, {{"c", "f:r3"}, "none"}}));
  ASSERT_EQ(world_.letters()->letters().size(), 1u);
  EXPECT_EQ(world_.letters()->letters()[0].row, "r2");
  EXPECT_EQ(world_.letters()->letters()[0].offset, 1);
}

TEST_F(IndexRunnerTest, LackOfMemoryInAWorkerEndsTheIndexAndNotTheProcess) {
  auto log = LogOf(2, 100);
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call == store::FaultyStore::Call::kPut && world_.faulty()->Calls() > 20) throw std::bad_alloc();
    return Status();
  });
  consumer::MemorySource source(log, {.batch_records = 5});
  const Status ended = Run(&source, 2);
  EXPECT_EQ(ended.code(), StatusCode::kInternal);
  EXPECT_THAT(ended.message(), HasSubstr("memory"));
  world_.faulty()->SetObserver({});
  consumer::MemorySource rest(log);
  EXPECT_TRUE(Run(&rest).ok());
  EXPECT_EQ(world_.Difference(), "");
}

}  // namespace
}  // namespace fensi::testing
