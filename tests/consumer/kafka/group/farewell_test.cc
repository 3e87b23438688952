// Leaving a group with a client that ends, and with one that never does.
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "consumer/kafka/group/membership.h"
#include "tests/consumer/kafka/mock_cluster.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

/// A member of a group that has its partition.
class FarewellTest : public ::testing::Test {
 protected:
  void Join(bool answers_revocations) {
    answers_ = answers_revocations;
    mock_.CreateTopic("changes", 1);
    Result<ConfHandle> config = MakeConfig(mock_.cluster(), {}, {{"group.id", "g"}});
    ASSERT_TRUE(config.ok());
    rd_kafka_conf_set_opaque(config->get(), this);
    rd_kafka_conf_set_rebalance_cb(
        config->get(), [](rd_kafka_t*, rd_kafka_resp_err_t kind, rd_kafka_topic_partition_list_t* partitions,
                          void* opaque) { static_cast<FarewellTest*>(opaque)->OnRebalance(kind, partitions); });
    client_ = std::shared_ptr<rd_kafka_t>(MakeClient(RD_KAFKA_CONSUMER, std::move(*config)).value().release(),
                                          DestroyWithoutLeavingGroup);
    rd_kafka_poll_set_consumer(client_.get());
    const PartitionsHandle topics = WithoutOffsets("changes", {RD_KAFKA_PARTITION_UA});
    ASSERT_EQ(rd_kafka_subscribe(client_.get(), topics.get()), RD_KAFKA_RESP_ERR_NO_ERROR);
    while (!assigned_) const MessageHandle message(rd_kafka_consumer_poll(client_.get(), 50));
  }

  void OnRebalance(rd_kafka_resp_err_t kind, const rd_kafka_topic_partition_list_t* partitions) {
    assigned_ = kind == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS;
    if (assigned_) rd_kafka_assign(client_.get(), partitions);
    if (!assigned_ && answers_) rd_kafka_assign(client_.get(), nullptr);
  }

  MockCluster mock_;
  std::shared_ptr<rd_kafka_t> client_;
  bool answers_ = true;
  bool assigned_ = false;
};

TEST_F(FarewellTest, EndsAsSoonAsTheClientHasEnded) {
  Join(/*answers_revocations=*/true);
  EXPECT_TRUE(LeaveGroup(client_.get(), "g", Deadline(milliseconds(60'000))).ok());
  EXPECT_FALSE(assigned_) << "the last revocation is answered";
  EXPECT_EQ(rd_kafka_consumer_closed(client_.get()), 1);
}

#ifndef FENSI_SANITIZED  // which would tell of the threads that such a client leaves
// rd_kafka_consumer_close waits without end for an answer that never comes.
TEST_F(FarewellTest, OfAClientThatNeverEndsHasADeadline) {
  Join(/*answers_revocations=*/false);
  const Status left = LeaveGroup(client_.get(), "g", Deadline(milliseconds(500)));
  EXPECT_EQ(left.code(), StatusCode::kUnavailable);
  EXPECT_EQ(left.message(),
            "the consumer did not leave group g in time. Nothing to do: other daemons get its partitions after "
            "--kafka_session_timeout_ms");
  assigned_ = true;
  DestroyWithin(std::move(client_), milliseconds(1000));
  EXPECT_TRUE(assigned_) << "nothing may be called back any more";
}
#endif

}  // namespace
}  // namespace fensi::consumer
