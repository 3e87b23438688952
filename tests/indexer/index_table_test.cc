// Whether an index notices that its table was made again, and what ends that: the rule alone, beside other processes,
// and in a runner at its start and while it works.
#include "indexer/index_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "indexer/index_runner.h"
#include "store/wrapped_store.h"
#include "tests/doubles/memory_source.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

using indexer::IndexTable;
using indexer::NotedAfter;
using indexer::NotedTable;
using indexer::TableNews;
using store::TableIdentity;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr TableIdentity kFirst{100, 90}, kEnabled{200, 90}, kSplit{100, 190}, kAgain{200, 190}, kThird{300, 290};

/// A store whose tables are as old as the test says.
class AgedStore final : public store::DelegatingStore {
 public:
  explicit AgedStore(store::Store* behind) : DelegatingStore(behind) {}

  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override {
    EXPECT_EQ(table, "inverse");
    const Result<std::optional<TableIdentity>> seen = Seen();
    if (const auto before = std::exchange(before_answer, nullptr)) before();
    return seen;
  }
  void Is(Result<std::optional<TableIdentity>> identity) {
    const MutexLock lock(mu_);
    identity_ = std::move(identity);
  }
  int looks() {
    const MutexLock lock(mu_);
    return looks_;
  }

  /// Once, when the answer is on its way.
  std::function<void()> before_answer;

 private:
  Result<std::optional<TableIdentity>> Seen() {
    const MutexLock lock(mu_);
    ++looks_;
    return identity_;
  }

  Mutex mu_;
  Result<std::optional<TableIdentity>> identity_ ABSL_GUARDED_BY(mu_) = std::optional(kFirst);
  int looks_ ABSL_GUARDED_BY(mu_) = 0;
};

TEST(NotedAfter, TheFirstLookAnIndexMatches) { EXPECT_EQ(NotedAfter({}, kFirst, 7), (NotedTable{kFirst, {}})); }

TEST(NotedAfter, WhatATableIsEnabledOrSplitForItStillMatches) {
  const NotedTable noted{kFirst, {}};
  for (const TableIdentity& now : {kFirst, kEnabled, kSplit})
    EXPECT_EQ(NotedAfter(noted, now, 7), (NotedTable{now, {}}));
}

TEST(NotedAfter, ATableIsMadeAgainItDoesNotMatchUntilThatIsProved) {
  EXPECT_EQ(NotedAfter(NotedTable{kFirst, {}}, kAgain, 7), (NotedTable{kAgain, 7}));
  // The clone of an old snapshot has older regions.
  EXPECT_EQ(NotedAfter(NotedTable{kAgain, {}}, {300, 90}, 7), (NotedTable{{300, 90}, 7}));
  for (const TableIdentity& now : {kAgain, TableIdentity{201, 190}, kThird}) {
    EXPECT_EQ(NotedAfter(NotedTable{kAgain, 7}, now, 9), (NotedTable{now, 7}));
  }
}

TEST(NotedTable, IsReadAsItWasWritten) {
  for (const NotedTable& noted : {NotedTable{kFirst, {}}, NotedTable{kFirst, 7}}) {
    EXPECT_EQ(indexer::ParseNotedTable(FormatNotedTable(noted)), noted);
  }
  for (const char* broken : {"", "1", "1 b", "1 2 mismatch", "1 2 mismatch x", "1 2 mismatch 3 4", "1 2 other 3"}) {
    EXPECT_EQ(indexer::ParseNotedTable(broken), std::nullopt) << broken;
  }
  EXPECT_EQ(indexer::ParseIdentity("100 90"), kFirst);
  EXPECT_EQ(indexer::ParseIdentity("100 90 1"), std::nullopt);
}

class IndexTableTest : public ::testing::Test {
 protected:
  IndexTable table() { return {&world_.index(), &store_, world_.clock()}; }
  NotedTable Noted() { return table().Noted().value().value_or(NotedTable{{-1, -1}, {}}); }

  World world_{ValueRule(), true};
  AgedStore store_{world_.store()};
};

TEST_F(IndexTableTest, IsNotedAsItIsSeen) {
  EXPECT_EQ(*table().Look(), (NotedTable{kFirst, {}}));
  EXPECT_FALSE(table().Noted()->has_value()) << "a look alone writes nothing";
  EXPECT_EQ(*table().LookAndNote(), (NotedTable{kFirst, {}}));
  EXPECT_EQ(Noted(), (NotedTable{kFirst, {}}));
  store_.Is(std::optional(kSplit));
  EXPECT_EQ(*table().LookAndNote(), (NotedTable{kSplit, {}}));
  store_.Is(std::optional(kThird));
  EXPECT_TRUE((*table().Look())->mismatch_since);
  EXPECT_TRUE((*table().LookAndNote())->mismatch_since);
  EXPECT_EQ(Noted().identity, kThird);
  EXPECT_TRUE(Noted().mismatch_since);
}

TEST_F(IndexTableTest, OfAStoreThatCannotTellIsNotNoted) {
  store_.Is(std::optional<TableIdentity>());
  EXPECT_FALSE(table().LookAndNote()->has_value());
  EXPECT_FALSE(table().Noted()->has_value());
  store_.Is(Status(StatusCode::kPermission, "no"));
  EXPECT_EQ(table().LookAndNote().status().code(), StatusCode::kPermission);
}

TEST_F(IndexTableTest, WhatCannotBeUnderstoodIsNotOverwritten) {
  Must(indexer::MetaRow(&world_.index(), world_.store()).Set(indexer::kTableColumn, "of tomorrow"));
  EXPECT_THAT(table().LookAndNote().status().message(), HasSubstr("column i:table holds 'of tomorrow'"));
}

/// A process that was slow has read an identity that is not true any more.
TEST_F(IndexTableTest, WhoIsSlowDoesNotOverwriteWhatOthersSawLater) {
  ASSERT_TRUE(table().LookAndNote().ok());
  store_.before_answer = [&] {
    AgedStore others(world_.store());
    others.Is(std::optional(kAgain));
    ASSERT_TRUE(IndexTable(&world_.index(), &others, world_.clock()).LookAndNote().ok());
    store_.Is(std::optional(kAgain));
  };
  store_.Is(std::optional(kSplit));
  EXPECT_TRUE((*table().LookAndNote())->mismatch_since);
  EXPECT_EQ(Noted().identity, kAgain);
}

TEST_F(IndexTableTest, IsProvedByAComparisonThatBeganAfterItWasMade) {
  EXPECT_FALSE(*table().NoteProved(kFirst)) << "nothing is noted yet";
  EXPECT_FALSE(table().Noted()->has_value());
  ASSERT_TRUE(table().LookAndNote().ok());
  store_.Is(std::optional(kAgain));
  ASSERT_TRUE((*table().LookAndNote())->mismatch_since);
  EXPECT_EQ(table().NoteProved(kFirst).status().code(), StatusCode::kConfiguration);
  EXPECT_TRUE(Noted().mismatch_since) << "it was another table";
  store_.Is(std::optional(TableIdentity{201, 190}));
  EXPECT_TRUE(*table().NoteProved(kAgain)) << "enabled again meanwhile";
  EXPECT_EQ(Noted(), (NotedTable{{201, 190}, {}}));
  EXPECT_FALSE(*table().NoteProved(kAgain));
}

TEST_F(IndexTableTest, ThatWasProvedBeforeADaemonLookedAtItMatches) {
  ASSERT_TRUE(table().LookAndNote().ok());
  store_.Is(std::optional(kAgain));
  EXPECT_TRUE(*table().NoteProved(kAgain));
  EXPECT_EQ(*table().LookAndNote(), (NotedTable{kAgain, {}}));
}

class RunnerTableTest : public ::testing::Test {
 protected:
  using Kind = TableNews::Kind;

  /// To the end of the stream; `work` is done while the runner is at work.
  std::vector<Kind> Run(std::function<void(indexer::IndexRunner*)> work = nullptr) {
    std::vector<Kind> told;
    Mutex mu;
    indexer::IndexRunner* at_work = nullptr;
    const auto after_done = [&](const consumer::Batch&) {
      if (work) std::exchange(work, nullptr)(at_work);
    };
    if (work) {
      const Cell cell{.family = "f", .qualifier = "k", .timestamp = 1, .value = "a"};
      log_->Append(0, {.table = "source", .row = "r", .cells = {cell}, .sequence_id = 1});
    }
    consumer::MemorySource source(log_, {.after_done = after_done});
    indexer::RunnerOptions options{.pause_period = std::chrono::milliseconds(1)};
    options.table_period = period_;
    options.table_news = [&](const TableNews& news) {
      const MutexLock lock(mu);
      told.push_back(news.kind);
    };
    const auto index = std::shared_ptr<const mapping::Index>(&world_.index(), [](const mapping::Index*) {});
    indexer::IndexRunner runner(index, &source, &store_, world_.letters(), world_.clock(), options);
    at_work = &runner;
    const Status ended = runner.Run();
    EXPECT_TRUE(ended.ok()) << ended.message();
    return told;
  }
  static void Await(const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > deadline) FAIL() << "what was awaited did not happen within a minute";
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  World world_{ValueRule(), true};
  AgedStore store_{world_.store()};
  std::shared_ptr<consumer::MemoryLog> log_ = std::make_shared<consumer::MemoryLog>(1);
  std::chrono::milliseconds period_{1};
};

TEST_F(RunnerTableTest, IsNoticedAtEachStartUntilItIsProved) {
  EXPECT_THAT(Run(), ElementsAre()) << "the first look";
  store_.Is(std::optional(kAgain));
  EXPECT_THAT(Run(), ElementsAre(Kind::kMismatch));
  EXPECT_THAT(Run(), ElementsAre(Kind::kMismatch));
  ASSERT_TRUE(*IndexTable(&world_.index(), &store_, world_.clock()).NoteProved(kAgain));
  EXPECT_THAT(Run(), ElementsAre());
}

TEST_F(RunnerTableTest, IsNoticedByALivingRunnerAndSoIsItsProof) {
  const auto told = Run([&](indexer::IndexRunner* runner) {
    Await([&] { return store_.looks() > 0; });
    EXPECT_EQ(runner->mismatch_since(), std::nullopt);
    store_.Is(std::optional(kAgain));
    Await([&] {
      world_.clock()->Advance(period_);
      return runner->mismatch_since().has_value();
    });
    ASSERT_TRUE(runner->mismatch_since());
    EXPECT_TRUE(*IndexTable(&world_.index(), &store_, world_.clock()).NoteProved(kAgain));
    Await([&] { return !runner->mismatch_since(); });
  });
  EXPECT_THAT(told, ElementsAre(Kind::kMismatch, Kind::kProved));
}

TEST_F(RunnerTableTest, ThatCannotBeLookedAtIsToldOnceAndWorkGoesOn) {
  store_.Is(Status(StatusCode::kPermission, "no"));
  const auto told = Run([&](indexer::IndexRunner*) {
    Await([&] {
      world_.clock()->Advance(period_);
      return store_.looks() > 3;
    });
  });
  EXPECT_THAT(told, ElementsAre(Kind::kUnknown));
}

TEST_F(RunnerTableTest, ThatDoesNotAnswerIsLookedAtAgainSoon) {
  period_ = std::chrono::minutes(1);
  ASSERT_TRUE(IndexTable(&world_.index(), &store_, world_.clock()).LookAndNote().ok());
  store_.Is(Status(StatusCode::kUnavailable, "disabled"));
  const auto told = Run([&](indexer::IndexRunner* runner) {
    Await([&] { return store_.looks() > 3; });
    store_.Is(std::optional(kAgain));
    Await([&] { return runner->mismatch_since().has_value(); });
  });
  EXPECT_THAT(told, ElementsAre(Kind::kMismatch));
}

TEST_F(RunnerTableTest, IsNotLookedAtMoreOftenThanItsPeriod) {
  period_ = std::chrono::minutes(1);
  Run([&](indexer::IndexRunner*) {
    Await([&] { return store_.looks() == 1; });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(store_.looks(), 1);
    world_.clock()->Advance(period_);
    Await([&] { return store_.looks() == 2; });
    EXPECT_EQ(store_.looks(), 2);
  });
}

}  // namespace
}  // namespace fensi::testing
