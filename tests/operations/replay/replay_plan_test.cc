// Where an index reads again, and what its person hears.
#include "operations/replay/replay_plan.h"

#include <gmock/gmock.h>

#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/operations/support/begun_index.h"
#include "tests/operations/support/recorded_console.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

class ReplayPlanTest : public ::testing::Test {
 protected:
  ReplayPlanTest() {
    kafka_.CreateTopic(world_.index->topic(), 1);
    kafka_.Produce(world_.index->topic(), 0, "a", "v");
    kafka_.Flush();
    admin_ = consumer::TopicAdmin::Create(kafka_.cluster(), std::chrono::seconds(30)).value();
  }

  void Write(const std::string& table, const Cell& cell) {
    const store::RowMutation row{"r", {cell}};
    ASSERT_TRUE(world_.store->Put(table, {&row, 1})->empty());
  }
  /// By the states, the index has the entry of a row.
  void WriteState() { Write(world_.index->state_table(), {.family = "s", .timestamp = 1, .value = "v"}); }
  Status Replay() {
    ReplayPlan plan(*world_.index, admin_.get());
    FENSI_RETURN_IF_ERROR(plan.Make({.kind = Position::Kind::kEarliest}));
    return plan.Execute(world_.store.get());
  }
  std::optional<int64_t> Committed() {
    const auto offsets = admin_->groups().CommittedOffsets(world_.index->group(), world_.index->topic());
    return offsets.ok() && !offsets->empty() ? offsets->front() : std::nullopt;
  }

  RecordedConsole console_;
  const BegunIndex world_;
  consumer::MockCluster kafka_;
  std::unique_ptr<consumer::TopicAdmin> admin_;
};

// After a gap the index cannot start without a replay, and no repair works without a daemon.
TEST_F(ReplayPlanTest, AnIndexThatLostItsEntriesButNotItsStatesIsMovedWithAWarning) {
  WriteState();
  const Status status = Replay();
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Committed(), 0);
  EXPECT_THAT(console_.TakeMessages(),
              ::testing::AllOf(HasSubstr("warning: index i: table i is empty, but its states in i_state are not, so a "
                                         "replay brings no entry back. Start 'fensi run'"),
                               HasSubstr("'fensi repair MAPPING i … --from_report FILE --execute'")));
}

TEST_F(ReplayPlanTest, AnIndexThatHasEntriesIsMovedWithoutAWarning) {
  WriteState();
  Write(world_.index->table(), {.family = "f1", .qualifier = "r", .timestamp = 1, .value = ""});
  const Status status = Replay();
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Committed(), 0);
  EXPECT_EQ(console_.TakeMessages(), "");
}

}  // namespace
}  // namespace fensi::operations
