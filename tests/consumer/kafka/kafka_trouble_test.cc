#include <gmock/gmock.h>

#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/kafka_source.h"
#include "tests/consumer/kafka/source_fixture.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(KafkaSourceTest, ASuspendedProcessLosesItsBatchAndBeginsAtTheCommit) {
  MakeTopic(1);
  Fill(0, 10);
  const auto source = Source();
  const Batch batch = std::get<Batch>(NextBatch(source.get()));
  clock_.Advance(options_.session_timeout);
  EXPECT_TRUE(Eventually([&] { return batch.assignment->Check().code() == StatusCode::kFenced; }));
  source->Done(batch);
  const Opening again = NextThatIs<Opening>(source.get());
  EXPECT_NE(again.assignment, batch.assignment);
  // That it began there may be (Witnesses).
  EXPECT_EQ(again.committed.value_or(0), 0) << "what was done too late is not committed";
  ASSERT_TRUE(source->Begin(again.assignment, 0).ok());
  EXPECT_EQ(NextThatIs<Batch>(source.get()).records[0].offset, 0);
}

TEST_F(KafkaSourceTest, AnAbandonedPartitionComesAgainFromTheCommit) {
  MakeTopic(1);
  Fill(0, 10);
  options_.max_batch_records = 5;
  const auto source = Source();
  const Batch batch = std::get<Batch>(NextBatch(source.get()));
  source->Abandon(batch.assignment);
  const Batch again = std::get<Batch>(NextBatch(source.get()));
  EXPECT_EQ(again.records[0].offset, 0);
  EXPECT_TRUE(again.assignment->Check().ok());
}

TEST_F(KafkaSourceTest, AnOffsetThatTheBrokerDoesNotHaveIsAGap) {
  MakeTopic(1);
  Fill(0, 10);
  const auto source = Source();
  const Opening opening = NextThatIs<Opening>(source.get());
  ASSERT_TRUE(source->Begin(opening.assignment, 500).ok());
  const End end = NextThatIs<End>(source.get());
  EXPECT_EQ(end.status.code(), StatusCode::kGap);
  for (const char* part : {"group g", "topic changes partition 0", "does not have offset 500"}) {
    EXPECT_THAT(end.status.message(), HasSubstr(part));
  }
}

TEST_F(KafkaSourceTest, ATopicThatIsNotThereIsNamed) {
  rd_kafka_mock_topic_set_error(mock_.raw(), "changes", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  const auto source = Source();
  const std::string missing = "topic changes does not exist";
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.find(missing) != std::string::npos; }));
  clock_.Advance(seconds(4));  // believed
  const Status status = source->WaitReachable(seconds(60));
  EXPECT_EQ(status.code(), StatusCode::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr(missing));
  EXPECT_EQ(NextThatIs<End>(source.get()).status.code(), StatusCode::kNotFound);
}

TEST_F(KafkaSourceTest, ASourceThatIsWokenWhileItLeavesDoesNotHang) {
  rd_kafka_mock_topic_set_error(mock_.raw(), "changes", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  for (int i = 0; i < 3; ++i) {
    const auto source = Source();
    EXPECT_TRUE(Eventually([&] { return !source->progress().trouble.empty(); }));
    clock_.Advance(seconds(4));
    EXPECT_EQ(source->WaitReachable(seconds(60)).code(), StatusCode::kNotFound);
  }
}

TEST_F(KafkaSourceTest, ABrokerThatIsAwayIsShownAndEndsNothing) {
  options_.cluster.brokers = "127.0.0.1:1";
  const auto source = Source();
  const Status status = source->WaitReachable(milliseconds(200));
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("no broker of 127.0.0.1:1 answers"));
  EXPECT_TRUE(Eventually([&] {
    return source->progress().trouble.find("broker 127.0.0.1:1 is unreachable since ") != std::string::npos;
  }));
  source->Stop();
  EXPECT_TRUE(std::holds_alternative<End>(source->Next()));
}

TEST_F(KafkaSourceTest, ABrokerThatComesBackIsReadFurther) {
  MakeTopic(1);
  Fill(0, 10);
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(Eventually([&] { return worker.records() == 10; }));
  mock_.SetDown(true);
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.find("is unreachable since") != std::string::npos; }))
      << source->progress().trouble;
  mock_.SetDown(false);
  Fill(0, 10);
  EXPECT_TRUE(Eventually([&] { return worker.records() >= 20; }));
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.empty(); }));
}

/// Fails once, when it is told to, any thread but that of the test.
class FailingClock final : public Clock {
 public:
  std::chrono::milliseconds MonotonicNow() const override {
    if (std::this_thread::get_id() != test_ && fails_.exchange(false)) throw std::bad_alloc();
    return SystemClock()->MonotonicNow();
  }
  int64_t WallMillis() const override { return SystemClock()->WallMillis(); }
  void Sleep(std::chrono::milliseconds duration) override { SystemClock()->Sleep(duration); }
  void Fail() { fails_ = true; }

 private:
  const std::thread::id test_ = std::this_thread::get_id();
  mutable std::atomic<bool> fails_ = false;
};

TEST_F(KafkaSourceTest, APollThreadThatLacksMemoryEndsTheSourceAndNotTheProcess) {
  MakeTopic(1);
  Fill(0, 10);
  FailingClock clock;
  options_.clock = &clock;
  const auto source = Source();
  ASSERT_EQ(NextThatIs<Opening>(source.get()).log_end, 10);
  clock.Fail();
  const Work work = source->Next();
  ASSERT_TRUE(std::holds_alternative<End>(work));
  EXPECT_EQ(std::get<End>(work).status.code(), StatusCode::kInternal);
  EXPECT_THAT(std::get<End>(work).status.message(), HasSubstr("reading topic changes: "));
}

TEST_F(KafkaSourceTest, RefusedQuestionsForOffsetsAreRepeatedAndShown) {
  MakeTopic(1);
  Fill(0, 10);
  const std::vector<rd_kafka_resp_err_t> refusals(6, RD_KAFKA_RESP_ERR_UNKNOWN);
  const int16_t list_offsets = 2;
  rd_kafka_mock_push_request_errors_array(mock_.raw(), list_offsets, refusals.size(), refusals.data());
  const auto source = Source();
  Worker worker(source.get());
  const std::string question = "reading the offsets of topic changes partition 0";
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.find(question) != std::string::npos; }));
  EXPECT_TRUE(Eventually([&] { return worker.records() == 10; }));
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.empty(); }));
}

// The client finds out only when the session is over; somebody else may have the partitions long before.
TEST_F(KafkaSourceTest, OutOfReachOfTheCoordinatorABatchIsFencedLongBeforeTheSessionEnds) {
  MakeTopic(1);
  Fill(0, 10);
  options_.session_timeout = seconds(600);
  options_.fence_margin = seconds(540);
  const auto source = Source();
  const Batch batch = std::get<Batch>(NextBatch(source.get()));
  EXPECT_TRUE(batch.assignment->Check().ok());
  mock_.SetDown(true);
  milliseconds passed(0);
  EXPECT_TRUE(Eventually([&] {
    const milliseconds step(200);  // so that the poll thread is never silent for long
    clock_.Advance(step);
    passed += step;
    return passed >= options_.session_timeout || batch.assignment->Check().code() == StatusCode::kFenced;
  }));
  EXPECT_LT(passed, options_.session_timeout);
  mock_.SetDown(false);
  const Batch again = std::get<Batch>(NextBatch(source.get()));
  EXPECT_EQ(again.records[0].offset, 0) << "what was in hand comes again";
}

TEST(KafkaSourceOptions, EachPropertyThatIsOursIsRefusedByNameWithTheReason) {
  for (const auto& [name, why] : OwnProperties()) {
    KafkaSourceOptions options;
    options.cluster = {"127.0.0.1:1", {{std::string(name), "1"}}};
    options.topic = "changes";
    options.group = "g";
    const Status status = KafkaSource::Create(options).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(status.message(), "settings of Kafka (--kafka_property): \"" + std::string(name) +
                                    "\" is decided by fensi and cannot be set: " + std::string(why));
  }
}

TEST(KafkaSourceOptions, AHeartbeatThatWouldLoseThePartitionsIsRefused) {
  KafkaSourceOptions options;
  options.cluster = {"127.0.0.1:1", {{"heartbeat.interval.ms", "15001"}}};
  options.topic = "changes";
  options.group = "g";
  EXPECT_THAT(KafkaSource::Create(options).status().message(), HasSubstr("above a third of the session timeout"));
  options.cluster.properties["heartbeat.interval.ms"] = "15000";
  EXPECT_TRUE(KafkaSource::Create(options).ok());
}

TEST(KafkaSourceOptions, TheSearchForMovedPartitionsCannotBeTurnedOff) {
  KafkaSourceOptions options;
  options.cluster = {"127.0.0.1:1", {{"topic.metadata.refresh.interval.ms", "-1"}}};
  options.topic = "changes";
  options.group = "g";
  EXPECT_THAT(KafkaSource::Create(options).status().message(), HasSubstr("is not between 10 and 300000"));
  options.cluster.properties["topic.metadata.refresh.interval.ms"] = "500";
  EXPECT_TRUE(KafkaSource::Create(options).ok());
}

TEST(KafkaSourceOptions, SettingsThatWouldLoseEventsAreRefusedAllAtOnce) {
  KafkaSourceOptions options;
  options.cluster = {"127.0.0.1:1", {{"enable.auto.commit", "true"}, {"group.id", "x"}, {"no.such.thing", "1"}}};
  options.topic = "changes";
  options.group = "g";
  const Status status = KafkaSource::Create(options).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("\"enable.auto.commit\" is decided by fensi"));
  EXPECT_THAT(status.message(), HasSubstr("\"group.id\" is decided by fensi"));
  EXPECT_THAT(status.message(), HasSubstr("no.such.thing"));
}

}  // namespace
}  // namespace fensi::consumer
