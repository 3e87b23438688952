// What the mock cluster cannot do, on the real Kafka of the development stack: topics, configurations, group offsets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <future>
#include <random>
#include <set>
#include <thread>

#include "consumer/codec/event_codec.h"
#include "consumer/codec/request.h"
#include "consumer/dead_letters.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/kafka_dead_letters.h"
#include "consumer/kafka/producer/event_producer.h"
#include "consumer/kafka/producer/request_producer.h"
#include "tests/consumer/kafka/source_fixture.h"
#include "tests/doubles/full_letter.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

template <typename T>
std::unique_ptr<T> Made(Result<std::unique_ptr<T>> made) {
  EXPECT_TRUE(made.ok()) << made.status().ToString();
  return made.ok() ? std::move(made.value()) : nullptr;
}

class RealTopicTest : public ::testing::Test {
 protected:
  RealTopicTest() {
    const char* brokers = std::getenv("FENSI_TEST_KAFKA");  // NOLINT(concurrency-mt-unsafe)
    EXPECT_NE(brokers, nullptr) << "FENSI_TEST_KAFKA names the broker (deploy/devstack env)";
    cluster_.brokers = brokers == nullptr ? "127.0.0.1:1" : brokers;
    admin_ = Made(TopicAdmin::Create(cluster_, seconds(30)));
    const std::string test = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    topic_ = "consumer-" + test + "-" + std::to_string(getpid()) + "-" + std::to_string(SystemClock()->WallMillis());
  }

  void MakeTopic(int32_t partitions, std::map<std::string, std::string> configs = {}) {
    const Status status = admin_->CreateTopic({topic_, partitions, 1, std::move(configs)});
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_TRUE(Eventually([&] { return admin_->Partitions(topic_).ok(); }));
  }
  void Fill(int64_t count) {
    auto producer = Made(EventProducer::Create({.cluster = cluster_}));
    for (int64_t i = 0; i < count; ++i) {
      const ChangeEvent event{.table = "t", .row = "r" + std::to_string(i), .cells = {{.family = "f", .timestamp = i}}};
      ASSERT_TRUE(producer->SendEvent(topic_, event).ok());
    }
    const Status status = producer->Flush();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
  std::unique_ptr<KafkaSource> Source(bool until_end = false) {
    KafkaSourceOptions options;
    options.cluster = cluster_;
    options.topic = options.group = topic_;
    options.until_end = until_end;
    options.commit_interval = seconds(3600);  // commits come from revokes and the end only
    return Made(KafkaSource::Create(options));
  }
  int64_t Committed() {
    int64_t sum = 0;
    const auto offsets = admin_->groups().CommittedOffsets(topic_, topic_);
    EXPECT_TRUE(offsets.ok()) << offsets.status().ToString();
    for (const std::optional<int64_t>& offset : *offsets) sum += offset.value_or(0);
    return sum;
  }

  KafkaCluster cluster_;
  std::unique_ptr<TopicAdmin> admin_;
  std::string topic_;
};

TEST_F(RealTopicTest, ACreatedTopicIsAsDescribedAndNotCreatedTwice) {
  MakeTopic(3, {{"retention.ms", "60000"}});
  const auto description = admin_->Describe(topic_);
  ASSERT_TRUE(description.ok()) << description.status().ToString();
  EXPECT_EQ(description->partitions, 3);
  EXPECT_EQ(description->cleanup_policy, "delete");
  EXPECT_EQ(admin_->CreateTopic({topic_, 3, 1, {}}).code(), StatusCode::kAlreadyExists);
}

TEST_F(RealTopicTest, ATopicThatIsNotThereIsNotCreatedByLookingOrSending) {
  EXPECT_EQ(admin_->Partitions(topic_).status().code(), StatusCode::kNotFound);
  auto producer = Made(EventProducer::Create({.cluster = cluster_}));
  EXPECT_EQ(producer->Send(topic_, "k", "v").code(), StatusCode::kNotFound);
  EXPECT_EQ(Source()->WaitReachable(seconds(60)).code(), StatusCode::kNotFound);
  EXPECT_EQ(admin_->Partitions(topic_).status().code(), StatusCode::kNotFound);
}

TEST_F(RealTopicTest, ACompactedTopicIsRefused) {
  MakeTopic(1, {{"cleanup.policy", "compact"}});
  const Status status = Source()->WaitReachable(seconds(60));
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("cleanup.policy=compact"));
}

TEST_F(RealTopicTest, OffsetsOfAStoppedGroupAreMovedAndThoseOfARunningOneNot) {
  MakeTopic(2);
  Fill(100);
  const auto source = Source(/*until_end=*/true);
  Worker worker(source.get());
  ASSERT_TRUE(worker.Join().ok());
  EXPECT_TRUE(admin_->groups().DescribeGroup(topic_)->active());
  EXPECT_THAT(admin_->groups().AlterOffsets(topic_, topic_, {{0, 0}}).message(), HasSubstr("running members"));
  EXPECT_TRUE(source->Close().ok());
  EXPECT_EQ(Committed(), 100);
  ASSERT_TRUE(Eventually([&] { return !admin_->groups().DescribeGroup(topic_)->active(); }));
  const Status moved = admin_->groups().AlterOffsets(topic_, topic_, *admin_->EarliestOffsets(topic_));
  EXPECT_TRUE(moved.ok()) << moved.ToString();
  EXPECT_EQ(Committed(), 0);
}

TEST_F(RealTopicTest, ATimeIsFoundAsTheFirstOffsetFromThenOn) {
  MakeTopic(1);
  Fill(5);
  EXPECT_EQ(admin_->OffsetsAt(topic_, 0)->at(0).offset, 0);
  EXPECT_EQ(admin_->OffsetsAt(topic_, SystemClock()->WallMillis() + 3'600'000)->at(0).offset, 5);
}

TEST_F(RealTopicTest, WhatIsDoneAtARevokeIsCommittedSoThatNothingIsDoneTwice) {
  MakeTopic(4);
  Fill(2000);
  const auto first = Source();
  Worker a(first.get());
  ASSERT_TRUE(Eventually([&] { return a.records() == 2000; }));
  const auto second = Source();
  Worker b(second.get());
  ASSERT_TRUE(Eventually([&] { return b.opened().size() == 2 && first->progress().partitions == 2; }));
  EXPECT_EQ(Committed(), 2000);
  Fill(2000);
  ASSERT_TRUE(Eventually([&] { return a.records() + b.records() >= 4000; }));
  EXPECT_EQ(a.records() + b.records(), 4000u);
}

TEST_F(RealTopicTest, AnOffsetThatRetentionHasRemovedEndsAsAGap) {
  MakeTopic(1);
  Fill(10);
  const auto source = Source();
  const Opening opening = NextThatIs<Opening>(source.get());
  ASSERT_TRUE(source->Begin(opening.assignment, opening.log_end + 5).ok());
  EXPECT_EQ(NextThatIs<End>(source.get()).status.code(), StatusCode::kGap);
}

/// Each transaction leaves a hole of one offset in the log.
void CommitOneByOne(const KafkaCluster& cluster, const std::string& topic, int count) {
  rd_kafka_conf_t* config = rd_kafka_conf_new();
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"bootstrap.servers", cluster.brokers}, {"transactional.id", topic}, {"linger.ms", "0"}}) {
    ASSERT_EQ(rd_kafka_conf_set(config, name.c_str(), value.c_str(), nullptr, 0), RD_KAFKA_CONF_OK);
  }
  const auto producer = MakeClient(RD_KAFKA_PRODUCER, ConfHandle(config));
  const auto expect_ok = [](rd_kafka_error_t* error) {
    const ErrorHandle handle(error);
    ASSERT_EQ(error, nullptr) << rd_kafka_error_string(error);
  };
  expect_ok(rd_kafka_init_transactions(producer->get(), 30'000));
  for (int i = 0; i < count; ++i) {
    const ChangeEvent event{.table = "t", .row = std::to_string(i), .cells = {{.family = "f", .timestamp = i}}};
    const std::string value = EncodeEvent(event);
    expect_ok(rd_kafka_begin_transaction(producer->get()));
    ASSERT_EQ(
        rd_kafka_producev(producer->get(), RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                          RD_KAFKA_V_KEY(event.row.data(), event.row.size()),
                          RD_KAFKA_V_VALUE(const_cast<char*>(value.data()), value.size()), RD_KAFKA_V_END),
        RD_KAFKA_RESP_ERR_NO_ERROR);
    expect_ok(rd_kafka_commit_transaction(producer->get(), 30'000));
  }
}

TEST_F(RealTopicTest, TwoThousandTransactionsOfOneEventAreReadInFiveSeconds) {
  MakeTopic(1);
  CommitOneByOne(cluster_, topic_, 2000);
  const auto source = Source(/*until_end=*/true);
  ASSERT_TRUE(source->WaitReachable(seconds(60)).ok());
  Worker worker(source.get());
  ASSERT_TRUE(Eventually([&] { return !worker.opened().empty(); }));
  const auto started = std::chrono::steady_clock::now();
  EXPECT_TRUE(worker.Join().ok());
  EXPECT_LT(std::chrono::steady_clock::now() - started, seconds(5));
  EXPECT_EQ(worker.rows(0), Numbers(2000));
}

TEST_F(RealTopicTest, ATopicThatBecomesCompactedEndsTheSourceAtTheNextHole) {
  MakeTopic(1);
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(Eventually([&] { return !worker.opened().empty(); }));
  Result<ConfHandle> config = MakeConfig(cluster_, {}, {});
  const auto client = MakeClient(RD_KAFKA_PRODUCER, std::move(*config));
  const std::unique_ptr<rd_kafka_ConfigResource_t, Destroy<rd_kafka_ConfigResource_destroy>> resource(
      rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic_.c_str()));
  rd_kafka_ConfigResource_set_config(resource.get(), "cleanup.policy", "compact");
  rd_kafka_ConfigResource_t* resources[] = {resource.get()};
  AdminCall call(client->get(), RD_KAFKA_ADMIN_OP_ALTERCONFIGS, seconds(30));
  rd_kafka_AlterConfigs(client->get(), resources, 1, call.options(), call.queue());
  ASSERT_TRUE(call.Wait("altering").ok());
  CommitOneByOne(cluster_, topic_, 3);
  const Status end = worker.Join();
  EXPECT_EQ(end.code(), StatusCode::kConfiguration);
  EXPECT_THAT(end.message(), HasSubstr("cleanup.policy=compact"));
}

TEST_F(RealTopicTest, ANameThatCollidesWithAnotherTopicIsAPersonsToChange) {
  const std::string one = topic_ + ".x", other = topic_ + "_x";
  ASSERT_TRUE(admin_->CreateTopic({one, 1, 1, {}}).ok());
  const Status refused = admin_->CreateTopic({other, 1, 1, {}});
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration) << refused.ToString();
  EXPECT_THAT(refused.message(), HasSubstr("collides with existing topic"));
  EXPECT_TRUE(admin_->DeleteTopic(one).ok());
}

void DeleteTopic(const KafkaCluster& cluster, const std::string& topic) {
  Result<ConfHandle> config = MakeConfig(cluster, {}, {});
  const auto client = MakeClient(RD_KAFKA_PRODUCER, std::move(*config));
  const std::unique_ptr<rd_kafka_DeleteTopic_t, Destroy<rd_kafka_DeleteTopic_destroy>> deletion(
      rd_kafka_DeleteTopic_new(topic.c_str()));
  rd_kafka_DeleteTopic_t* topics[] = {deletion.get()};
  AdminCall call(client->get(), RD_KAFKA_ADMIN_OP_DELETETOPICS, seconds(30));
  rd_kafka_DeleteTopics(client->get(), topics, 1, call.options(), call.queue());
  ASSERT_TRUE(call.Wait("deleting").ok());
}

TEST_F(RealTopicTest, RequestsAreReadBesideTheStreamWhichGoesOnWhenTheirTopicIsDeleted) {
  const std::string requests = topic_ + ".requests";
  MakeTopic(2);
  ASSERT_TRUE(admin_->CreateTopic({requests, 2, 1, {}}).ok());
  const auto producer = Made(RequestProducer::Create({.cluster = cluster_}, topic_, requests));
  for (int i = 0; i < 100; ++i) {
    const Request recheck{.kind = Request::Kind::kRecheck,
                          .table = "t",
                          .row = "r" + std::to_string(i),
                          .incarnation = "0123456789abcdef"};
    ASSERT_TRUE(producer->Send(recheck).ok());
  }
  ASSERT_TRUE(producer->Flush().ok());
  Fill(100);
  KafkaSourceOptions options;
  options.cluster = cluster_;
  options.cluster.properties["topic.metadata.refresh.interval.ms"] = "200";
  options.topic = options.group = topic_;
  options.requests_topic = requests;
  const auto source = Made(KafkaSource::Create(options));
  Worker worker(source.get());
  const auto both = [&] { return worker.both(0).size() + worker.both(1).size(); };
  ASSERT_TRUE(Eventually([&] { return both() == 200; })) << both();
  EXPECT_EQ(worker.records(), 100u);
  DeleteTopic(cluster_, requests);
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.find(requests) != std::string::npos; }));
  Fill(100);
  EXPECT_TRUE(Eventually([&] { return Committed() == 200; })) << "of the stream";
  source->Stop();
  EXPECT_TRUE(worker.Join().ok());
  const Status closed = source->Close();
  EXPECT_TRUE(closed.ok()) << closed.ToString();
}

/// Works on the source until it ends, or until an opening stops an index that has two partitions and has committed.
Status WorkAsAnIndex(KafkaSource* source) {
  std::set<int32_t> begun;
  for (;;) {
    Work work = source->Next();
    if (const auto* end = std::get_if<End>(&work)) return end->status;
    if (const auto* batch = std::get_if<Batch>(&work)) source->Done(*batch);
    const auto* opening = std::get_if<Opening>(&work);
    if (opening == nullptr) continue;
    const bool known = opening->committed.has_value() || begun.insert(opening->assignment->partition()).second;
    if (!known) return Status(StatusCode::kGap, "its commit is gone");
    if (opening->assignment->partition_count() != 2) return Status(StatusCode::kConfiguration, "other partitions");
    EXPECT_TRUE(source->Begin(opening->assignment, opening->committed.value_or(opening->log_start)).ok());
  }
}

TEST_F(RealTopicTest, ATopicThatIsMadeAgainEndsTheIndexWhateverItHoldsAndNothingIsCommittedInIt) {
  const std::string prefix = topic_;
  for (const int32_t partitions : {1, 2, 3}) {
    for (const int64_t count : {3, 300}) {
      SCOPED_TRACE(std::to_string(count) + " messages in " + std::to_string(partitions) + " partitions");
      topic_ = prefix + "-" + std::to_string(partitions) + "-" + std::to_string(count);
      MakeTopic(2);
      Fill(100);
      KafkaSourceOptions options;
      options.cluster = cluster_;
      options.topic = options.group = topic_;
      const auto source = Made(KafkaSource::Create(options));
      std::promise<Status> stopped;
      std::thread worker([&] { stopped.set_value(WorkAsAnIndex(source.get())); });
      EXPECT_TRUE(Eventually([&] { return Committed() == 100; }));
      EXPECT_TRUE(source->Confirm().ok());
      DeleteTopic(cluster_, topic_);
      EXPECT_TRUE(Eventually([&] { return admin_->CreateTopic({topic_, partitions, 1, {}}).ok(); }));
      EXPECT_TRUE(Eventually([&] { return admin_->Partitions(topic_).ok(); }));
      Fill(count);
      auto outcome = stopped.get_future();
      if (outcome.wait_for(seconds(60)) != std::future_status::ready) source->Stop();
      EXPECT_THAT(outcome.get().code(), ::testing::AnyOf(StatusCode::kGap, StatusCode::kConfiguration));
      worker.join();
      source->Stop();
      (void)source->Close();
      EXPECT_EQ(Committed(), 0);
    }
  }
}

TEST_F(RealTopicTest, DeadLettersFitIntoATopicThatTakesLittle) {
  MakeTopic(1, {{"max.message.bytes", std::to_string(kLeastLetterBytes)}});
  const auto send = [this](const std::string& topic) {
    const KafkaDeadLettersOptions options{.producer = {.cluster = cluster_}, .topic = topic};
    const auto letters = Made(KafkaDeadLetters::Create(options, SystemClock()));
    DeadLetter letter = FullLetter();
    letter.row = letter.original_key = std::string(32'767, 'r');
    letter.reason.assign(200'000, 'w');
    // What cannot be compressed: the limit is that of the bytes that are sent.
    std::mt19937 random(1);
    for (int i = 0; i < 500'000; ++i) letter.original.push_back(static_cast<char>(random()));
    EXPECT_TRUE(letters->Send(letter).ok());
    return RetryingDeadLetters(
               letters.get(), SystemClock(), [] { return Status(); }, [](const std::string&) {})
        .Flush();
  };
  const Status written = send(topic_);
  EXPECT_TRUE(written.ok()) << written.ToString();
  EXPECT_GE(admin_->LatestOffsets(topic_)->at(0).offset, 9);
  topic_ += "-less";
  MakeTopic(1, {{"max.message.bytes", std::to_string(kLeastLetterBytes - 1)}});
  const Status refused = send(topic_);
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("takes messages of up to 63999 bytes (max.message.bytes)"));
}

TEST_F(RealTopicTest, RequestsAreRefusedWhereSomeWouldNotFit) {
  const std::string stream = topic_;
  MakeTopic(1);
  topic_ += "-requests";
  MakeTopic(1, {{"max.message.bytes", std::to_string(kLeastRequestBytes)}});
  const EventProducerOptions options{.cluster = cluster_};
  const auto producer = Made(RequestProducer::Create(options, stream, topic_));
  EXPECT_EQ(producer->most_bytes(), kLeastRequestBytes - kRequestRoom);
  topic_ += "-less";
  MakeTopic(1, {{"max.message.bytes", std::to_string(kLeastRequestBytes - 1)}});
  const Status refused = RequestProducer::Create(options, stream, topic_).status();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("a request may need 200000 bytes. Raise the limit: kafka-configs.sh"));
}

}  // namespace
}  // namespace fensi::consumer
