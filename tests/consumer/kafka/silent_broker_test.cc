// Brokers that take connections and say nothing, or say it late, or lead nothing.
#include <gmock/gmock.h>

#include <atomic>
#include <functional>
#include <future>

#include "consumer/kafka/client/topic_facts.h"
#include "consumer/kafka/kafka_source.h"
#include "consumer/kafka/producer/event_producer.h"
#include "tests/consumer/kafka/every_call.h"
#include "tests/consumer/kafka/source_fixture.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Partition 0 is led by the first broker, which coordinates the group too, partition 1 by the second.
class TwoBrokersTest : public KafkaSourceTest {
 protected:
  TwoBrokersTest() : KafkaSourceTest(2) {
    MakeTopic(2);
    mock_.SetLeader("changes", 0, 1);
    mock_.SetLeader("changes", 1, 2);
  }
  static bool Says(const KafkaSource& source, const std::string& text) {
    return source.progress().trouble.find(text) != std::string::npos;
  }
};

TEST_F(TwoBrokersTest, ABrokerThatIsSilentKeepsOnlyItsOwnPartitionsClosed) {
  Fill(0, 10);
  Fill(1, 10);
  mock_.Silence(2);
  const auto started = clock_.MonotonicNow();
  {
    const auto source = Source();
    Worker worker(source.get());
    EXPECT_TRUE(Eventually([&] { return worker.rows(0).size() == 10; }));
    EXPECT_TRUE(Eventually([&] { return Says(*source, "partition 1 of topic changes is not open"); }));
    Fill(0, 10);
    EXPECT_TRUE(Eventually([&] { return worker.rows(0).size() == 20; }));
    EXPECT_EQ(Committed()[1], -1);
    source->Stop();
    EXPECT_TRUE(worker.Join().ok());
  }
  EXPECT_LT(clock_.MonotonicNow() - started, seconds(30)) << "the end does not wait for it either";
}

TEST_F(TwoBrokersTest, ABrokerThatSpeaksAgainIsReadFurther) {
  options_.cluster.properties["socket.timeout.ms"] = "2000";
  Fill(0, 10);
  Fill(1, 10);
  mock_.Silence(2);
  const auto source = Source();
  Worker worker(source.get());
  EXPECT_TRUE(Eventually([&] { return Says(*source, "partition 1 of topic changes is not open"); }));
  mock_.SetDelay(2, milliseconds(0));
  EXPECT_TRUE(Eventually([&] { return worker.rows(1).size() == 10; }));
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.empty(); }));
}

TEST_F(TwoBrokersTest, APartitionWhoseSilentLeaderIsReplacedIsReadLongBeforeTheQuestionEnds) {
  Fill(1, 10);
  mock_.Silence(2);
  const auto source = Source();
  Worker worker(source.get());
  EXPECT_TRUE(Eventually([&] { return Says(*source, "partition 1 of topic changes is not open"); }));
  mock_.SetLeader("changes", 1, 1);
  const auto begin = clock_.MonotonicNow();
  EXPECT_TRUE(Eventually([&] { return worker.rows(1).size() == 10; }));
  EXPECT_LT(clock_.MonotonicNow() - begin, seconds(30)) << "the client's socket timeout is 60 s";
}

TEST_F(TwoBrokersTest, APartitionWithoutALeaderIsNamedAndKeepsNoOtherClosed) {
  Fill(0, 10);
  Fill(1, 10);
  mock_.SetLeader("changes", 0, -1);
  const auto source = Source();
  Worker worker(source.get());
  EXPECT_TRUE(Eventually([&] { return worker.rows(1).size() == 10; }));
  EXPECT_TRUE(Eventually([&] { return Says(*source, "partition 0 of topic changes is not open"); }))
      << source->progress().trouble;
  EXPECT_TRUE(worker.rows(0).empty());
  mock_.SetLeader("changes", 0, 1);
  EXPECT_TRUE(Eventually([&] { return worker.rows(0).size() == 10; }));
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.empty(); }));
}

TEST_F(TwoBrokersTest, APartitionThatLosesItsLeaderWhileItIsReadIsNamed) {
  Fill(0, 10);
  Fill(1, 10);
  const auto source = Source();
  Worker worker(source.get());
  EXPECT_TRUE(Eventually([&] { return worker.records() == 20; }));
  mock_.SetLeader("changes", 0, -1);
  EXPECT_TRUE(Eventually([&] { return Says(*source, "partition 0 of topic changes has no leader"); }));
  Fill(1, 10);
  EXPECT_TRUE(Eventually([&] { return worker.rows(1).size() == 20; }));
  mock_.SetLeader("changes", 0, 1);
  Fill(0, 10);
  EXPECT_TRUE(Eventually([&] { return worker.rows(0).size() >= 20; }));
  EXPECT_TRUE(Eventually([&] { return source->progress().trouble.empty(); })) << source->progress().trouble;
}

constexpr milliseconds kTimeout{2000};
constexpr seconds kSlack(20);  // a busy machine, and far from the 30 s and 60 s that librdkafka takes

struct Silence {
  const char* name;
  std::vector<int32_t> brokers;
};

class EveryCallTest : public TwoBrokersTest, public ::testing::WithParamInterface<Silence> {};

TEST_P(EveryCallTest, EndsInItsTime) {
  for (const int32_t broker : GetParam().brokers) mock_.Silence(broker);
  std::map<std::string, std::future<std::pair<Status, milliseconds>>> ends;
  const bool coordinator_is_silent = GetParam().brokers[0] == 1;
  for (const auto& [name, call] : EveryCall(kTimeout)) {
    // librdkafka 2.0.2 does not survive a coordinator that cannot describe or delete groups, and the mock's cannot.
    const bool deadly = name == "group" || name == "replay" || name == "delete group";
    if (!coordinator_is_silent && deadly) continue;
    ends.emplace(name, std::async(std::launch::async, [this, ask = call] {
                   const auto started = clock_.MonotonicNow();
                   const Status status = ask(mock_.cluster());
                   return std::pair(status, clock_.MonotonicNow() - started);
                 }));
  }
  for (auto& [name, end] : ends) {
    const auto [status, took] = end.get();
    EXPECT_LT(took, kTimeout + kSlack) << name << ": " << status.ToString();
    const bool all = GetParam().brokers.size() == 2;
    EXPECT_TRUE(!all || status.code() == StatusCode::kUnavailable) << name << ": " << status.ToString();
  }
}

INSTANTIATE_TEST_SUITE_P(With, EveryCallTest,
                         ::testing::Values(Silence{"AllSilent", {1, 2}}, Silence{"OneSilent", {1}},
                                           Silence{"TheOtherSilent", {2}}),
                         [](const auto& silence) { return silence.param.name; });

TEST_F(TwoBrokersTest, WhoMayNotGoOnWaitsForNoAcknowledgement) {
  std::atomic<bool> stopped = false;
  const auto producer = EventProducer::Create({.cluster = mock_.cluster()}, [&] {
    return stopped ? Status(StatusCode::kCancelled, "the job was replaced") : Status();
  });
  ASSERT_TRUE(producer.ok());
  ASSERT_TRUE((*producer)->Send("changes", "row", "before").ok());
  ASSERT_TRUE((*producer)->Flush().ok());
  mock_.Silence(-1);
  ASSERT_TRUE((*producer)->Send("changes", "row", "after").ok());
  auto flushed = std::async(std::launch::async, [&] { return (*producer)->Flush(); });
  EXPECT_EQ(flushed.wait_for(milliseconds(500)), std::future_status::timeout);
  const auto begin = clock_.MonotonicNow();
  stopped = true;
  EXPECT_EQ(flushed.get().message(), "the job was replaced");
  EXPECT_LT(clock_.MonotonicNow() - begin, kSlack) << "a message may take its delivery timeout of 30 s";
}

/// What the poll thread asks, of clients that know their brokers already.
TEST_F(TwoBrokersTest, QuestionsOfAConnectedClientEndInTheirTimeToo) {
  Result<ConfHandle> config = MakeConfig(mock_.cluster(), {}, {{"group.id", "g"}});
  const auto client = MakeClient(RD_KAFKA_CONSUMER, std::move(*config));
  rd_kafka_poll_set_consumer(client->get());
  ASSERT_TRUE(QueryAllLogRanges(client->get(), "changes", seconds(60)).ok());
  mock_.Silence(-1);
  const auto ends_in_time = [&](const char* name, const std::function<Status()>& ask) {
    const auto started = clock_.MonotonicNow();
    const Status status = ask();
    EXPECT_LT(clock_.MonotonicNow() - started, kTimeout + kSlack) << name;
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << name << ": " << status.ToString();
  };
  ends_in_time("layout", [&] { return DescribeLayout(client->get(), "changes", kTimeout).status(); });
  ends_in_time("log ranges", [&] { return QueryLogRanges(client->get(), "changes", {0, 1}, kTimeout).at(1).status(); });
  ends_in_time("committed", [&] {
    const PartitionsHandle list = WithoutOffsets("changes", {0, 1});
    return KafkaStatus(rd_kafka_committed(client->get(), list.get(), kTimeout.count()), "committed");
  });
}

}  // namespace
}  // namespace fensi::consumer
