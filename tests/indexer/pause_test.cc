// An index that a person paused: from the start, in the middle, and while its store does not say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "indexer/index_runner.h"
#include "tests/doubles/memory_source.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using std::chrono::milliseconds;

constexpr int kEvents = 2000;

class PauseTest : public ::testing::Test {
 protected:
  PauseTest() {
    for (int i = 0; i < kEvents; ++i) {
      const ChangeEvent event{.table = "source",
                              .row = "r" + std::to_string(i % 50),
                              .cells = {{.family = "f", .qualifier = "k", .timestamp = i + 1, .value = "a"}},
                              .sequence_id = static_cast<uint64_t>(i + 1)};
      world_.ApplyToSource(event);
      log_->Append(0, event);
    }
    const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
    source_ = std::make_unique<consumer::MemorySource>(
        log_, consumer::MemorySourceOptions{.batch_records = 5, .after_done = [this](const auto&) { AfterBatch(); }});
    runner_ =
        std::make_unique<indexer::IndexRunner>(index, source_.get(), world_.faulty(), world_.letters(), world_.clock(),
                                               indexer::RunnerOptions{.workers = 2, .pause_period = milliseconds(1)});
  }
  ~PauseTest() override {
    if (!thread_.joinable()) return;
    runner_->Stop();
    thread_.join();
  }

  void Start() {
    thread_ = std::thread([this] {
      status_ = runner_->Run();
      ended_ = true;
    });
  }
  Status Join() {
    Await([this] { return ended_.load(); });
    if (!ended_) runner_->Stop();
    thread_.join();
    return status_;
  }
  /// As `fensi pause` and `fensi resume` write it.
  void Say(const std::string& words) {
    Must(indexer::MetaRow(&world_.index(), world_.store(), world_.clock()).Set(indexer::kPauseColumn, words));
  }
  static void Await(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) {
        ADD_FAILURE() << "what was awaited did not happen within a minute";
        return;
      }
      std::this_thread::sleep_for(milliseconds(1));
    }
  }
  /// How many events are done in a while.
  int64_t EventsMeanwhile() const {
    const int64_t before = runner_->counts().events;
    std::this_thread::sleep_for(milliseconds(50));
    return runner_->counts().events - before;
  }
  /// On a worker's thread.
  void AfterBatch() {
    if (pauses_at_ == 0 || runner_->counts().events < pauses_at_) return;
    pauses_at_ = 0;
    Say("anna: upgrade");
    Await([this] { return !runner_->paused().empty(); });
  }

  World world_{ValueRule(), false};
  std::shared_ptr<consumer::MemoryLog> log_ = std::make_shared<consumer::MemoryLog>(1);
  std::unique_ptr<consumer::MemorySource> source_;
  std::unique_ptr<indexer::IndexRunner> runner_;
  std::thread thread_;
  Status status_;
  std::atomic<bool> ended_ = false;
  int64_t pauses_at_ = 0;
};

TEST_F(PauseTest, OneThatWasPausedBeforeBeginsWithNothing) {
  Say("anna: upgrade");
  Start();
  Await([this] { return runner_->reached(); });
  EXPECT_EQ(EventsMeanwhile(), 0);
  EXPECT_EQ(runner_->counts().events, 0);
  EXPECT_EQ(runner_->paused(), "anna: upgrade");
  Say("");
  EXPECT_TRUE(Join().ok());
  EXPECT_EQ(runner_->counts().events, kEvents);
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(PauseTest, OneAtWorkRestsAndGoesOn) {
  pauses_at_ = kEvents / 2;
  Start();
  Await([this] { return !runner_->paused().empty(); });
  Await([this] { return EventsMeanwhile() == 0; });  // when what is in hand is done
  EXPECT_EQ(EventsMeanwhile(), 0);
  EXPECT_LT(runner_->counts().events, kEvents);
  Say("");
  EXPECT_TRUE(Join().ok());
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(PauseTest, AStopEndsOneThatRests) {
  Say("anna: upgrade");
  Start();
  Await([this] { return runner_->reached(); });
  runner_->Stop();
  EXPECT_TRUE(Join().ok());
  EXPECT_EQ(runner_->counts().events, 0);
}

TEST_F(PauseTest, WhatCannotBeReadChangesNothing) {
  Say("anna: upgrade");
  Start();
  Await([this] { return runner_->reached(); });
  world_.faulty()->SetObserver([](store::FaultyStore::Call call, const std::string&) {
    return call == store::FaultyStore::Call::kGet ? Status(StatusCode::kUnavailable, "away") : Status();
  });
  EXPECT_EQ(EventsMeanwhile(), 0);
  EXPECT_EQ(runner_->paused(), "anna: upgrade");
  world_.faulty()->SetObserver(nullptr);
  Say("");
  EXPECT_TRUE(Join().ok());
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(PauseTest, AStreamThatEndsIsNotBegun) {
  Say("anna: upgrade");
  const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
  indexer::IndexRunner runner(index, source_.get(), world_.faulty(), world_.letters(), world_.clock(),
                              indexer::RunnerOptions{.may_pause = false});
  const Status status = runner.Run();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(),
              HasSubstr("is paused (anna: upgrade). To continue: 'fensi resume MAPPING inverse … --execute'"));
  EXPECT_EQ(runner.counts().events, 0);
}

}  // namespace
}  // namespace fensi::testing
