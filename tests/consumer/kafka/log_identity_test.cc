// A topic that was deleted and created again is another one, whatever it holds: Kafka has forgotten what the group had
// committed of it. The mock cluster deletes no topic, so here its answers forget.
#include "consumer/kafka/group/log_identity.h"

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <mutex>
#include <set>

#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/producer/request_producer.h"
#include "tests/consumer/kafka/source_fixture.h"

namespace {

std::mutex mu;
std::set<std::string> forgotten;  // topics; guarded by mu
int questions = 0;                // guarded by mu

}  // namespace

/// The linker prefers it to librdkafka's, which it calls.
extern "C" rd_kafka_resp_err_t rd_kafka_committed(rd_kafka_t* client, rd_kafka_topic_partition_list_t* partitions,
                                                  int timeout_ms) {
  static const auto original = reinterpret_cast<decltype(&rd_kafka_committed)>(dlsym(RTLD_NEXT, "rd_kafka_committed"));
  const rd_kafka_resp_err_t error = original(client, partitions, timeout_ms);
  const std::lock_guard lock(mu);
  ++questions;
  for (int i = 0; i < partitions->cnt; ++i) {
    if (forgotten.contains(partitions->elems[i].topic)) partitions->elems[i].offset = RD_KAFKA_OFFSET_INVALID;
  }
  return error;
}

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr char kRequests[] = "changes.requests";

class LogIdentityTest : public KafkaSourceTest {
 protected:
  LogIdentityTest() {
    const std::lock_guard lock(mu);
    forgotten.clear();
    questions = 0;
    options_.commit_interval = milliseconds(50);
  }
  static void Forget(const std::string& topic) {
    const std::lock_guard lock(mu);
    forgotten.insert(topic);
  }
  /// The next Opening, begun where nothing is done yet.
  static Opening OpenNext(KafkaSource* source) {
    for (;;) {
      Work work = source->Next();
      if (auto* opening = std::get_if<Opening>(&work)) {
        EXPECT_TRUE(BeginAll(source, *opening).ok());
        return *opening;
      }
      if (std::holds_alternative<End>(work)) return {};
    }
  }
};

TEST_F(LogIdentityTest, AStreamHasACommitFromItsBeginningOn) {
  MakeTopic(2);
  Fill(0, 10);
  const auto source = Source();
  OpenNext(source.get());
  OpenNext(source.get());
  EXPECT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
  EXPECT_EQ(Committed(), (std::vector<int64_t>{0, 0})) << "nothing was done";
}

TEST_F(LogIdentityTest, AStreamThatIsAnotherEndsBeforeAnythingMoreIsCommitted) {
  MakeTopic(1);
  Fill(0, 10);
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(Eventually([&] { return Committed() == std::vector<int64_t>{10}; }));
  EXPECT_TRUE(source->Confirm().ok());
  Forget("changes");
  Fill(0, 10);
  const Status end = worker.Join();
  EXPECT_EQ(end.code(), StatusCode::kGap);
  EXPECT_THAT(end.message(), HasSubstr("the topic was deleted and created again"));
  EXPECT_EQ(source->Confirm().code(), StatusCode::kGap);
  EXPECT_FALSE(source->Close().ok());
  EXPECT_EQ(Committed(), (std::vector<int64_t>{10}));
  EXPECT_EQ(source->state().lost->partition, 0);
}

TEST_F(LogIdentityTest, NothingIsCommittedAtTheEndEither) {
  MakeTopic(1);
  Fill(0, 10);
  options_.commit_interval = seconds(3600);
  const auto source = Source();
  OpenNext(source.get());
  ASSERT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
  const Work work = NextBatch(source.get());
  source->Done(std::get<Batch>(work));
  Forget("changes");
  EXPECT_EQ(source->Close().code(), StatusCode::kGap);
  EXPECT_EQ(Committed(), (std::vector<int64_t>{0}));
}

TEST_F(LogIdentityTest, WhatNobodyAnswersIsNotConfirmed) {
  MakeTopic(1);
  const auto source = Source();
  OpenNext(source.get());
  ASSERT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
  mock_.Silence(1);
  EXPECT_EQ(source->Confirm().code(), StatusCode::kUnavailable);
}

TEST_F(LogIdentityTest, AnAnswerThatMakesNoSenseConfirmsNothingAndEndsNothing) {
  constexpr int16_t kOffsetFetch = 9;
  const rd_kafka_resp_err_t senseless[] = {RD_KAFKA_RESP_ERR_UNKNOWN, RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE,
                                           RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR_INVALID_REQUEST};
  MakeTopic(1);
  const auto source = Source();
  OpenNext(source.get());
  ASSERT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
  for (const rd_kafka_resp_err_t error : senseless) {
    const std::vector<rd_kafka_resp_err_t> errors(3, error);
    rd_kafka_mock_push_request_errors_array(mock_.raw(), kOffsetFetch, errors.size(), errors.data());
    const Status status = source->Confirm();
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << rd_kafka_err2name(error) << ": " << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(rd_kafka_err2str(error)));
    rd_kafka_mock_clear_request_errors(mock_.raw(), kOffsetFetch);
    EXPECT_TRUE(Eventually([&] { return source->Confirm().ok(); })) << rd_kafka_err2name(error);
  }
}

TEST_F(LogIdentityTest, ARefusalEndsTheConfirmation) {
  constexpr int16_t kOffsetFetch = 9;
  MakeTopic(1);
  const auto source = Source();
  OpenNext(source.get());
  ASSERT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
  const std::vector<rd_kafka_resp_err_t> errors(3, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED);
  rd_kafka_mock_push_request_errors_array(mock_.raw(), kOffsetFetch, errors.size(), errors.data());
  EXPECT_EQ(source->Confirm().code(), StatusCode::kPermission);
}

TEST_F(LogIdentityTest, OfOtherRequestsTheOwnerIsToldAtTheNextOpening) {
  MakeTopic(1);
  mock_.CreateTopic(kRequests, 1);
  options_.requests_topic = kRequests;
  Fill(0, 10);
  const auto source = Source();
  const Opening first = OpenNext(source.get());
  ASSERT_TRUE(first.requests);
  EXPECT_FALSE(first.requests->committed) << "nobody read them before";
  ASSERT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
  Forget(kRequests);
  EXPECT_TRUE(source->Confirm().ok()) << "the stream is the same";
  EXPECT_EQ(first.assignment->Check().code(), StatusCode::kFenced);
  const Opening second = OpenNext(source.get());
  ASSERT_TRUE(second.requests);
  EXPECT_FALSE(second.requests->committed);
}

TEST_F(LogIdentityTest, RequestsThatAreTheSameAreSaidToBeSo) {
  MakeTopic(1);
  mock_.CreateTopic(kRequests, 1);
  options_.requests_topic = kRequests;
  for (const bool committed : {false, true}) {
    const auto source = Source();
    const Opening opening = OpenNext(source.get());
    ASSERT_TRUE(opening.requests);
    EXPECT_EQ(opening.requests->committed, committed);
    EXPECT_NE(opening.cluster, "");
    ASSERT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
    EXPECT_TRUE(source->Close().ok());
  }
}

TEST_F(LogIdentityTest, KafkaIsAskedBeforeACommitAndNotMoreOften) {
  MakeTopic(1);
  options_.commit_interval = seconds(3600);
  const auto source = Source();
  OpenNext(source.get());
  ASSERT_TRUE(Eventually([&] { return source->Confirm().ok(); }));
  const auto asked = [] {
    const std::lock_guard lock(mu);
    return questions;
  };
  const int before = asked();
  Fill(0, 1000);
  const Work work = NextBatch(source.get());
  source->Done(std::get<Batch>(work));
  EXPECT_EQ(asked(), before);
  EXPECT_TRUE(source->Close().ok());
  EXPECT_EQ(asked(), before + 1);
}

/// A process that was stopped between the answer and the commit may find another topic when it goes on.
TEST(LogIdentity, AnAnswerFromBeforeThePollThreadStoodStillIsNone) {
  FakeClock clock;
  PartitionQueues queues{PartitionQueuesOptions{}};
  LogIdentity identity({"changes", ""}, "g", &clock, &queues, [](LogId) {});
  const auto answer = [&] {
    std::optional<Status> status;
    for (int i = 0; i < 2'000 && !status; ++i) {
      status = identity.TakeAnswer();
      std::this_thread::sleep_for(milliseconds(1));
    }
    return status;
  };
  EXPECT_FALSE(identity.TakeAnswer());
  identity.Ask();
  EXPECT_TRUE(answer());
  identity.Ask();
  clock.Advance(milliseconds(1'001));
  EXPECT_FALSE(identity.TakeAnswer());
  EXPECT_FALSE(answer()) << "it has to be asked again";
}

}  // namespace
}  // namespace fensi::consumer
