// What a member tells its client while it leaves.
#include "consumer/kafka/group/membership.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/eventually.h"

namespace {

std::atomic<int> assignments_told = 0;

}  // namespace

/// The linker prefers it to librdkafka's, which it calls.
extern "C" rd_kafka_resp_err_t rd_kafka_assign(rd_kafka_t* client, const rd_kafka_topic_partition_list_t* partitions) {
  ++assignments_told;
  static const auto original = reinterpret_cast<decltype(&rd_kafka_assign)>(dlsym(RTLD_NEXT, "rd_kafka_assign"));
  return original(client, partitions);
}

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class MembershipTest : public ::testing::Test {
 protected:
  void SetUp() override {
    mock_.CreateTopic("changes", 1);
    Result<ConfHandle> config = MakeConfig(mock_.cluster(), {}, {{"group.id", "g"}});
    ASSERT_TRUE(config.ok());
    client_ = std::shared_ptr<rd_kafka_t>(MakeClient(RD_KAFKA_CONSUMER, std::move(*config)).value().release(),
                                          DestroyWithoutLeavingGroup);
    MembershipOptions options;
    options.topics.stream = "changes";
    options.group = "g";
    member_ = std::make_unique<Membership>(options, client_, milliseconds(1000), &clock_, lease_, &queues_, &outage_,
                                           &identity_);
    assignments_told = 0;
  }
  void OnRebalance(rd_kafka_resp_err_t kind) {
    const PartitionsHandle partitions = WithoutOffsets("changes", {0});
    member_->OnRebalance(kind, partitions.get(), /*closing=*/true);
  }

  MockCluster mock_;
  FakeClock clock_;
  PartitionQueues queues_{PartitionQueuesOptions{}};
  Outage outage_{&clock_, "localhost"};
  std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(&clock_, milliseconds(5000));
  LogIdentity identity_{{"changes", ""}, "g", &clock_, &queues_, [](LogId) {}};
  std::shared_ptr<rd_kafka_t> client_;
  std::unique_ptr<Membership> member_;
};

TEST_F(MembershipTest, AMemberAnswersEveryRebalance) {
  OnRebalance(RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS);
  OnRebalance(RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS);
  EXPECT_EQ(assignments_told, 2);
}

// One outage is one loss, and not one for each turn of the poll thread.
TEST_F(MembershipTest, ASilenceCountsOnceHoweverLongItLasts) {
  OnRebalance(RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS);
  EXPECT_EQ(member_->state().phase, GroupPhase::kMember);
  for (int turn = 0; turn < 100; ++turn) {
    clock_.Advance(milliseconds(1000));
    (void)member_->Turn();
  }
  EXPECT_EQ(member_->counts().fenced, 1);
  EXPECT_EQ(member_->state().phase, GroupPhase::kSilent);
  lease_->Heard(milliseconds(0));
  (void)member_->Turn();
  EXPECT_EQ(member_->state().phase, GroupPhase::kMember) << "the group still has it";
  clock_.Advance(milliseconds(6000));
  (void)member_->Turn();
  EXPECT_EQ(member_->counts().fenced, 2);
}

TEST_F(MembershipTest, WhoHasNoPartitionLosesNoneBySilence) {
  for (int turn = 0; turn < 10; ++turn) {
    clock_.Advance(milliseconds(1000));
    (void)member_->Turn();
  }
  EXPECT_EQ(member_->counts().fenced, 0);
  EXPECT_EQ(member_->state().phase, GroupPhase::kJoining);
}

// The client ends after the first answer, and may never take a second.
TEST_F(MembershipTest, WhoLeavesAnswersOnce) {
  const auto holders = client_.use_count();  // and the thread that answers
  EXPECT_TRUE(member_->Leave().ok());
  OnRebalance(RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS);
  OnRebalance(RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS);
  EXPECT_EQ(queues_.progress().partitions, 0);
  EXPECT_TRUE(Eventually([&] { return client_.use_count() <= holders; }));
  EXPECT_EQ(assignments_told, 1);
}

}  // namespace
}  // namespace fensi::consumer
