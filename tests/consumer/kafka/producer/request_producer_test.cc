#include "consumer/kafka/producer/request_producer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "consumer/codec/request.h"
#include "consumer/kafka/client/partitioner.h"
#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class RequestProducerTest : public ::testing::Test {
 protected:
  RequestProducerTest() {
    mock_.CreateTopic("changes", 4);
    mock_.CreateTopic("requests", 4);
  }
  EventProducerOptions Options() const { return {.cluster = mock_.cluster(), .delivery_timeout = milliseconds(3000)}; }
  std::unique_ptr<RequestProducer> Producer(const EventProducerOptions& options) {
    auto producer = RequestProducer::Create(options, "changes", "requests");
    EXPECT_TRUE(producer.ok()) << producer.status().ToString();
    return std::move(*producer);
  }
  static Request Recheck(const std::string& row) {
    return {.kind = Request::Kind::kRecheck, .table = "t", .row = row, .incarnation = "0123456789abcdef"};
  }

  MockCluster mock_;
};

TEST_F(RequestProducerTest, ARequestStandsInThePartitionOfItsRow) {
  const auto producer = Producer(Options());
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(producer->Send(Recheck("row" + std::to_string(i))).ok());
  ASSERT_TRUE(producer->Flush().ok());
  EXPECT_EQ(producer->unacknowledged(), 0);
  const auto messages = mock_.ReadAll("requests");
  ASSERT_EQ(messages.size(), 100u);
  for (const auto& message : messages) {
    EXPECT_EQ(message.partition, PartitionOf(message.key, 4));
    const Result<Request> request = DecodeRequest(message.key, message.value);
    ASSERT_TRUE(request.ok()) << request.status().ToString();
    EXPECT_EQ(*request, Recheck(message.key));
  }
}

TEST_F(RequestProducerTest, WhatIsNoRequestIsRefusedAndNothingIsSent) {
  const auto producer = Producer(Options());
  Request bad = Recheck("a");
  bad.incarnation = "x";
  EXPECT_EQ(producer->Send(bad).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(producer->Flush().ok());
  EXPECT_TRUE(mock_.ReadAll("requests").empty());
}

TEST_F(RequestProducerTest, TopicsThatDoNotFitTogetherAreNamed) {
  mock_.CreateTopic("other", 3);
  const Status other = RequestProducer::Create(Options(), "changes", "other").status();
  EXPECT_EQ(other.code(), StatusCode::kConfiguration);
  EXPECT_THAT(other.message(), HasSubstr("topic other has 3 partitions, and topic changes has 4"));
  rd_kafka_mock_topic_set_error(mock_.raw(), "absent", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const Status absent = RequestProducer::Create(Options(), "changes", "absent").status();
  EXPECT_EQ(absent.code(), StatusCode::kNotFound);
  EXPECT_THAT(absent.message(), HasSubstr("topic absent does not exist"));
}

TEST_F(RequestProducerTest, ABrokerThatIsAwayIsAnErrorInTimeAndTheQueueIsBounded) {
  EventProducerOptions options = Options();
  options.max_queued_bytes = 1 << 20;
  const auto producer = Producer(options);
  mock_.SetDown(true);
  Request large = Recheck("a");
  large.kind = Request::Kind::kImage;
  large.read_time = 1;
  large.cells = {{.family = "f", .qualifier = "q", .timestamp = 1, .value = std::string(100'000, 'v')}};
  Status status;
  int64_t most = 0;
  for (int i = 0; i < 200 && status.ok(); ++i) {
    status = producer->Send(large);
    most = std::max(most, producer->unacknowledged());
  }
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  EXPECT_LE(most, 12) << "a megabyte";
  EXPECT_THAT(status.message(), HasSubstr("topic requests"));
}

}  // namespace
}  // namespace fensi::consumer
