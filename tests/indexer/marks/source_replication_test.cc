// A mark proves nothing of a table whose changes HBase does not send.
#include "indexer/marks/source_replication.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "indexer/index_runner.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "store/wrapped_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/doubles/memory_source.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

using indexer::SourceReplication;
using store::TableDescriptor;
using ::testing::HasSubstr;

/// A store that tells of the source what the test says.
class ToldStore final : public store::DelegatingStore {
 public:
  explicit ToldStore(store::Store* behind) : DelegatingStore(behind) {}

  bool HasReplication() const override { return true; }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    EXPECT_EQ(table, "source");
    ++looks;
    return source;
  }
  /// The index reads family f.
  void Scopes(int32_t f, int32_t other) {
    source = std::optional(TableDescriptor{
        .name = "source",
        .families = {{.name = "f", .replication_scope = f}, {.name = "other", .replication_scope = other}},
        .coprocessors = {}});
  }

  Result<std::optional<TableDescriptor>> source = std::optional<TableDescriptor>();
  int looks = 0;
};

class SourceReplicationTest : public ::testing::Test {
 protected:
  World world_{ValueRule(), true};
  ToldStore store_{world_.store()};
  FakeClock clock_;
  SourceReplication replication_{&world_.index(), &store_, &clock_};
};

TEST_F(SourceReplicationTest, AFamilyThatTheIndexReadsMustBeReplicated) {
  store_.Scopes(0, 1);
  const Status refused = replication_.Check();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("alter 'source', {NAME => 'f', REPLICATION_SCOPE => '1'}"));
}

TEST_F(SourceReplicationTest, OtherFamiliesNeedNot) {
  store_.Scopes(1, 0);
  EXPECT_TRUE(replication_.Check().ok());
}

TEST_F(SourceReplicationTest, IsLookedAtEachMinute) {
  store_.Scopes(1, 0);
  EXPECT_TRUE(replication_.Check().ok());
  store_.Scopes(0, 0);
  clock_.Advance(SourceReplication::kPeriod - std::chrono::milliseconds(1));
  EXPECT_TRUE(replication_.Check().ok());
  EXPECT_EQ(store_.looks, 1);
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_FALSE(replication_.Check().ok());
  store_.Scopes(1, 1);
  EXPECT_FALSE(replication_.Check().ok()) << "what was seen stands for a minute";
  clock_.Advance(SourceReplication::kPeriod);
  EXPECT_TRUE(replication_.Check().ok());
}

TEST_F(SourceReplicationTest, AStoreThatDoesNotAnswerIsAskedAgainAtOnce) {
  const Status away(StatusCode::kUnavailable, "away");
  store_.source = away;
  EXPECT_EQ(replication_.Check().code(), StatusCode::kUnavailable);
  store_.Scopes(1, 0);
  EXPECT_TRUE(replication_.Check().ok());
}

TEST_F(SourceReplicationTest, WhatNobodyCanTellIsNoFault) {
  const Status denied(StatusCode::kPermission, "denied");
  store_.source = denied;
  EXPECT_TRUE(SourceReplication(&world_.index(), &store_, &clock_).Check().ok());
  store_.source = std::optional<TableDescriptor>();
  EXPECT_TRUE(SourceReplication(&world_.index(), &store_, &clock_).Check().ok());
}

TEST_F(SourceReplicationTest, AStoreWithoutReplicationHasNoFault) {
  ASSERT_EQ((*world_.store()->DescribeTable("source"))->families.front().replication_scope, 0);
  EXPECT_TRUE(SourceReplication(&world_.index(), world_.store(), &clock_).Check().ok());
}

/// By a runner on that store, of a stream that says it is complete to 4999.
std::optional<int64_t> CompleteAfterRun(World* world, store::Store* store, const std::vector<consumer::Mark>& marks) {
  const auto log = std::make_shared<consumer::MemoryLog>(1);
  for (const consumer::Mark& mark : marks) log->AppendMark(0, mark);
  consumer::MemorySource source(log, {.batch_records = 1});
  const auto index = std::shared_ptr<const mapping::Index>(&world->index(), [](const mapping::Index*) {});
  indexer::IndexRunner runner(index, &source, store, world->letters(), world->clock(),
                              {.workers = 1, .meta_table = "fensi_meta", .mark_period = std::chrono::milliseconds(10)});
  EXPECT_TRUE(runner.Run().ok());
  const auto state = meta::IndexRecord({world->store(), "fensi_meta", meta::IndexRow(world->index().name())}).Read();
  return state.ok() && state->has_value() ? (*state)->complete : std::nullopt;
}

TEST_F(SourceReplicationTest, ARunnerSaysOfMarkersOfSuchATableNothing) {
  Must(world_.store()->CreateTable(meta::MetaTable("fensi_meta"), {}));
  const auto marker = [](int64_t time) {
    return consumer::Mark{.calls = {{"a,1,2", time, time}}, .members = {"a,1,2"}, .members_time = 1'000'000};
  };
  const std::vector<consumer::Mark> markers{marker(5'000), marker(6'000)};
  store_.Scopes(0, 1);
  EXPECT_EQ(CompleteAfterRun(&world_, &store_, markers), std::nullopt);
  EXPECT_GT(store_.looks, 0);
  EXPECT_EQ(CompleteAfterRun(&world_, &store_, {{.complete_to = 4'000}}), 4'000) << "whose producer is no HBase";
  store_.Scopes(1, 0);
  EXPECT_EQ(CompleteAfterRun(&world_, &store_, markers), 4'999);
}

}  // namespace
}  // namespace fensi::testing
