// The topic of requests beside a stream, on a mock cluster.
#include <gmock/gmock.h>

#include "consumer/codec/request.h"
#include "consumer/kafka/client/partitioner.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/kafka_source.h"
#include "tests/consumer/kafka/source_fixture.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kRequests[] = "changes.requests";

class RequestsTest : public KafkaSourceTest {
 protected:
  explicit RequestsTest(int brokers = 1) : KafkaSourceTest(brokers) { options_.requests_topic = kRequests; }

  void MakeTopics(int partitions) {
    partitions_ = partitions;
    MakeTopic(partitions);
    mock_.CreateTopic(kRequests, partitions);
  }
  /// Rows of this partition, always the same.
  std::vector<std::string> RowsOf(int32_t partition, size_t count) const {
    std::vector<std::string> rows;
    for (int i = 0; rows.size() < count; ++i) {
      std::string row = "row" + std::to_string(i);
      if (PartitionOf(row, partitions_) == partition) rows.push_back(std::move(row));
    }
    return rows;
  }
  static std::string Recheck(const std::string& row) {
    return EncodeRequest(
        {.kind = Request::Kind::kRecheck, .table = "t", .row = row, .incarnation = "0123456789abcdef"});
  }
  void Ask(int32_t partition, size_t count) {
    for (const std::string& row : RowsOf(partition, count)) mock_.Produce(kRequests, partition, row, Recheck(row));
    mock_.Flush();
  }
  static std::vector<std::string> Asked(const std::vector<std::string>& both) {
    std::vector<std::string> rows;
    for (const std::string& each : both) {
      if (each.starts_with("?")) rows.push_back(each.substr(1));
    }
    return rows;
  }

  int partitions_ = 1;
};

TEST_F(RequestsTest, AreReadBesideTheStreamToBothEndsAndHaveACommit) {
  MakeTopics(2);
  for (const int32_t partition : {0, 1}) Fill(partition, 300), Ask(partition, 200);
  options_.until_end = true;
  const auto source = Source();
  Worker a(source.get());
  Worker b(source.get());
  EXPECT_TRUE(a.Join().ok());
  EXPECT_TRUE(b.Join().ok());
  EXPECT_TRUE(source->Close().ok());
  for (const int32_t partition : {0, 1}) {
    EXPECT_EQ(a.rows(partition).size() + b.rows(partition).size(), 300u);
    std::vector<std::string> asked = Asked(a.both(partition));
    for (const std::string& row : Asked(b.both(partition))) asked.push_back(row);
    EXPECT_THAT(asked, ::testing::UnorderedElementsAreArray(RowsOf(partition, 200)));
  }
  EXPECT_EQ(Committed(), (std::vector<int64_t>{300, 300}));
  const auto admin = TopicAdmin::Create(mock_.cluster(), seconds(60));
  ASSERT_TRUE(admin.ok());
  EXPECT_THAT(*(*admin)->groups().CommittedOffsets("g", kRequests), ::testing::Each(::testing::Ne(std::nullopt)))
      << "by which their log is known, and not how far they are";
}

TEST_F(RequestsTest, NotedOnesComeFirstThenTheStreamThenTheOthers) {
  MakeTopics(1);
  Fill(0, 10);
  Ask(0, 6);
  options_.until_end = true;
  const auto source = Source();
  const Opening opening = NextThatIs<Opening>(source.get());
  ASSERT_TRUE(opening.requests.has_value());
  EXPECT_EQ(opening.requests->log_end, 6);
  ASSERT_TRUE(source->BeginRequests(opening.assignment, {.done = 1, .noted = 3}).ok());
  ASSERT_TRUE(source->Begin(opening.assignment, 0).ok());
  Worker worker(source.get());
  EXPECT_TRUE(worker.Join().ok());
  const std::vector<std::string> rows = RowsOf(0, 6);
  std::vector<std::string> expected = {"?" + rows[1], "?" + rows[2]};
  for (const std::string& number : Numbers(10)) expected.push_back(number);
  for (size_t i = 3; i < 6; ++i) expected.push_back("?" + rows[i]);
  EXPECT_EQ(worker.both(0), expected);
}

TEST_F(RequestsTest, GoWithTheirPartitionToItsOwnerAlone) {
  MakeTopics(4);
  const auto first = Source();
  Worker a(first.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return a.opened().size() >= 4; }));
  const auto second = Source();
  Worker b(second.get());
  ASSERT_TRUE(EventuallyInGroup([&] { return first->progress().partitions == 2 && b.opened().size() >= 2; }));
  ASSERT_TRUE(EventuallyInGroup([&] { return a.opened().size() >= 6; }));
  for (int32_t partition = 0; partition < 4; ++partition) Ask(partition, 100);
  for (int32_t partition = 0; partition < 4; ++partition) {
    EXPECT_TRUE(EventuallyInGroup([&] { return a.both(partition).size() + b.both(partition).size() == 100; }));
    EXPECT_TRUE(a.both(partition).empty() || b.both(partition).empty()) << partition;
  }
  EXPECT_FALSE(a.both(0).empty() && a.both(1).empty() && a.both(2).empty() && a.both(3).empty());
}

TEST_F(RequestsTest, ABatchOfThemIsFencedWithTheStreamsPartition) {
  MakeTopics(1);
  Ask(0, 5);
  const auto source = Source();
  const Opening opening = NextThatIs<Opening>(source.get());
  ASSERT_TRUE(BeginAll(source.get(), opening).ok());
  const RequestBatch batch = NextThatIs<RequestBatch>(source.get());
  EXPECT_EQ(batch.assignment, opening.assignment);
  clock_.Advance(options_.session_timeout);
  EXPECT_TRUE(Eventually([&] { return batch.assignment->Check().code() == StatusCode::kFenced; }));
  source->Done(batch);
  const Opening again = NextThatIs<Opening>(source.get());
  ASSERT_TRUE(BeginAll(source.get(), again).ok());
  EXPECT_EQ(NextThatIs<RequestBatch>(source.get()).records[0].offset, 0);
}

TEST_F(RequestsTest, WithoutTheirTopicTheStreamIsReadAsBefore) {
  MakeTopics(1);
  rd_kafka_mock_topic_set_error(mock_.raw(), kRequests, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  Fill(0, 10);
  const auto source = Source();
  EXPECT_TRUE(Eventually(
      [&] { return source->progress().trouble.find("changes.requests does not exist") != std::string::npos; }));
  clock_.Advance(seconds(4));  // believed
  const Opening opening = NextThatIs<Opening>(source.get());
  EXPECT_FALSE(opening.requests.has_value());
  EXPECT_FALSE(source->BeginRequests(opening.assignment, {}).ok());
  ASSERT_TRUE(source->Begin(opening.assignment, 0).ok());
  EXPECT_EQ(NextThatIs<Batch>(source.get()).records[0].offset, 0);
}

TEST_F(RequestsTest, WhoMayNotKnowOfTheirTopicReadsTheStreamAsBefore) {
  MakeTopics(1);
  rd_kafka_mock_topic_set_error(mock_.raw(), kRequests, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED);
  const auto source = Source();
  EXPECT_TRUE(Eventually([&] { return !source->progress().trouble.empty(); }));
  clock_.Advance(seconds(4));
  const Work work = source->Next();
  ASSERT_TRUE(std::holds_alternative<Opening>(work));
  EXPECT_FALSE(std::get<Opening>(work).requests.has_value());
}

TEST_F(RequestsTest, OtherPartitionsThanTheStreamsEndTheIndex) {
  MakeTopic(2);
  mock_.CreateTopic(kRequests, 3);
  const auto source = Source();
  const End end = NextThatIs<End>(source.get());
  EXPECT_EQ(end.status.code(), StatusCode::kConfiguration);
  for (const char* part : {"changes.requests has 3 partitions", "topic changes has 2", "fensi create"}) {
    EXPECT_THAT(end.status.message(), HasSubstr(part));
  }
}

TEST_F(RequestsTest, WhatAForeignWriterLeftIsARecordWithItsBytesAndTheReason) {
  MakeTopics(2);
  const std::string row = RowsOf(0, 1)[0];
  const std::string foreign = RowsOf(1, 1)[0];
  mock_.Produce(kRequests, 0, row, "no request");
  mock_.Produce(kRequests, 0, foreign, Recheck(foreign));
  mock_.Produce(kRequests, 0, "", "");
  mock_.Produce(kRequests, 0, row, Recheck(row));
  mock_.Flush();
  options_.until_end = true;
  const auto source = Source();
  std::vector<RequestBatch> batches;  // own the bytes
  std::vector<RequestRecord> records;
  while (records.size() < 4) {
    const RequestBatch& batch = batches.emplace_back(std::get<RequestBatch>(NextBatch(source.get())));
    records.insert(records.end(), batch.records.begin(), batch.records.end());
    EXPECT_EQ(batch.next_offset, static_cast<int64_t>(records.size()));
    source->Done(batch);
  }
  EXPECT_EQ(records[0].decoded.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(records[0].value, "no request");
  EXPECT_THAT(records[1].decoded.message(), HasSubstr("belongs to partition 1"));
  EXPECT_EQ(records[1].request, Request());
  EXPECT_FALSE(records[2].decoded.ok());
  EXPECT_TRUE(records[3].decoded.ok()) << records[3].decoded.ToString();
  EXPECT_EQ(records[3].request.row, row);
}

// The mock keeps 5 MB of a partition.
TEST_F(RequestsTest, ALogThatWasCutAfterTheOpeningIsOpenedAgainWithWhatItHolds) {
  MakeTopics(1);
  Ask(0, 10);
  const auto source = Source();
  const Opening opening = NextThatIs<Opening>(source.get());
  EXPECT_EQ(opening.requests->log_start, 0);
  const std::string row = RowsOf(0, 1)[0];
  const std::string large(100'000, 'v');
  for (int i = 0; i < 80; ++i) mock_.Produce(kRequests, 0, row, large);
  mock_.Flush();
  ASSERT_TRUE(BeginAll(source.get(), opening).ok());
  const Opening again = NextThatIs<Opening>(source.get());
  EXPECT_EQ(opening.assignment->Check().code(), StatusCode::kFenced);
  EXPECT_GT(again.requests->log_start, 0);
  EXPECT_EQ(again.requests->log_end, 90);
  EXPECT_EQ(source->BeginRequests(again.assignment, {0, 5}).code(), StatusCode::kGap);
  ASSERT_TRUE(BeginAll(source.get(), again).ok());
  Work next = source->Next();
  while (std::holds_alternative<consumer::Committed>(next)) next = source->Next();
  EXPECT_EQ(std::get<RequestBatch>(next).records[0].offset, again.requests->log_start);
}

TEST_F(RequestsTest, TheStreamGoesOnWhenTheirTopicIsDeletedAndItIsTold) {
  MakeTopics(1);
  options_.cluster.properties["topic.metadata.refresh.interval.ms"] = "100";
  Ask(0, 5);
  Fill(0, 5);
  const auto source = Source();
  Worker worker(source.get());
  ASSERT_TRUE(Eventually([&] { return worker.both(0).size() == 10; }));
  rd_kafka_mock_topic_set_error(mock_.raw(), kRequests, RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
  for (size_t round = 2; round <= 5; ++round) {
    Fill(0, 5);
    EXPECT_TRUE(Eventually([&] { return worker.records() == 5 * round; }));
    std::this_thread::sleep_for(milliseconds(200));  // the client asks for the topic meanwhile
  }
  EXPECT_FALSE(worker.ended());
  EXPECT_TRUE(Eventually(
      [&] {
        return source->progress().trouble.find("cannot read the requests: changes.requests [0]") != std::string::npos;
      },
      milliseconds(60'000)));
}

TEST_F(RequestsTest, AFloodOfThemLeavesTheStreamItsPlaceAndMemoryItsBound) {
  MakeTopics(1);
  Ask(0, 20'000);
  options_.max_queued_bytes = 4 << 20;
  const auto source = Source();
  size_t most = 0;
  Worker worker(source.get());
  for (int round = 1; round <= 5; ++round) {
    Fill(0, 100);
    EXPECT_TRUE(Eventually([&] {
      most = std::max(most, source->held_bytes());
      return worker.records() == static_cast<size_t>(100 * round);
    }));
  }
  EXPECT_TRUE(Eventually([&] { return worker.both(0).size() == 20'500; })) << worker.both(0).size();
  EXPECT_LE(most, size_t{2} << 20);
  EXPECT_EQ(Asked(worker.both(0)), RowsOf(0, 20'000)) << "each once and in order, around every pause";
}

TEST(RequestsOptions, AreRefusedWhereTheStreamIsNotPartitionedByRow) {
  KafkaSourceOptions options;
  options.cluster = {"127.0.0.1:1", {}};
  options.topic = "changes";
  options.group = "g";
  options.requests_topic = kRequests;
  EXPECT_TRUE(KafkaSource::Create(options).ok());
  options.format = Format::kHBaseKafkaProxy;
  EXPECT_EQ(KafkaSource::Create(options).status().code(), StatusCode::kInvalidArgument);
  options.format = Format::kChangeEvent;
  options.requests_topic = "changes";
  EXPECT_EQ(KafkaSource::Create(options).status().code(), StatusCode::kInvalidArgument);
}

class RequestsOfTwoBrokersTest : public RequestsTest {
 protected:
  RequestsOfTwoBrokersTest() : RequestsTest(2) {}
};

TEST_F(RequestsOfTwoBrokersTest, ASilentBrokerOfTheRequestsKeepsItsPartitionClosedAndNoOther) {
  MakeTopics(2);
  for (const int32_t partition : {0, 1}) {
    mock_.SetLeader("changes", partition, 1);
    mock_.SetLeader(kRequests, partition, partition == 0 ? 2 : 1);
    Fill(partition, 10);
  }
  mock_.Silence(2);
  const auto source = Source();
  Worker worker(source.get());
  EXPECT_TRUE(EventuallyInGroup([&] { return worker.rows(1).size() == 10; }));
  EXPECT_TRUE(worker.rows(0).empty()) << "what may have begun of the requests is not known";
  EXPECT_TRUE(Eventually([&] {
    clock_.Advance(milliseconds(200));
    return source->progress().trouble.find("partition 0 of topic changes is not open") != std::string::npos;
  }));
  mock_.SetDelay(2, milliseconds(0));
  EXPECT_TRUE(EventuallyInGroup([&] { return worker.rows(0).size() == 10; }));
}

}  // namespace
}  // namespace fensi::consumer
