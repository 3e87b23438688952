#include "capture/publish/publisher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>

#include "consumer/kafka/topic_tail.h"
#include "proto/dead_letter.pb.h"
#include "tests/capture/hbase_bytes.h"
#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/support/peak_memory.h"

namespace fensi::capture {
namespace {

using consumer::MockCluster;
using consumer::TopicTail;
using std::chrono::milliseconds;
using ::testing::HasSubstr;

class PublisherTest : public ::testing::Test {
 protected:
  PublisherTest() {
    mock_.CreateTopic("follows", 4);
    mock_.CreateTopic("dead", 1);
  }

  PublisherOptions Options() {
    PublisherOptions options;
    options.kafka.producer.cluster = mock_.cluster();
    options.kafka.producer.linger = milliseconds(0);
    options.topics = {{"guanzhu", "follows"}};
    options.dead_letter_topic = "dead";
    return options;
  }
  void Start(const PublisherOptions& options) {
    auto publisher = Publisher::Create(
        options,
        [this](Severity severity, const std::string& text) {
          const std::lock_guard lock(mu_);
          notices_ += (severity == Severity::kAlarm ? "ALARM " : "") + text + "\n";
        },
        SystemClock());
    ASSERT_TRUE(publisher.ok()) << publisher.status().ToString();
    publisher_ = std::move(*publisher);
  }
  void Start() { Start(Options()); }

  /// A call as the server hands it out; the future has its answer.
  std::future<Status> Hand(const std::string& request, const std::string& cells) {
    auto answer = std::make_shared<std::promise<Status>>();
    std::future<Status> future = answer->get_future();
    auto call = std::make_shared<Call>(request + cells, 0, request.size(), request.size(), milliseconds(60'000),
                                       [answer](const Status& status) { answer->set_value(status); });
    last_call_ = call;
    publisher_->Handle(std::move(call));
    return future;
  }
  std::future<Status> Hand(const std::vector<Entry>& entries) {
    return Hand(RequestBytes(entries), CellBlock(entries));
  }
  static Status Wait(std::future<Status> answer) {
    if (answer.wait_for(std::chrono::seconds(100)) == std::future_status::ready) return answer.get();
    return Status(StatusCode::kInternal, "no answer came");
  }
  std::vector<TopicTail::Message> ReadAll(const std::string& topic) { return mock_.ReadAll(topic); }
  std::string notices() {
    const std::lock_guard lock(mu_);
    return notices_;
  }

  MockCluster mock_;
  std::mutex mu_;
  std::string notices_;
  std::weak_ptr<Call> last_call_;
  std::unique_ptr<Publisher> publisher_;
};

Entry Follow(const std::string& row, const std::string& value, uint64_t sequence_id = 7) {
  return {.sequence_id = sequence_id, .cells = {{row, Put("from", value)}}};
}

TEST_F(PublisherTest, WritesAnEventKeyedByRowAndThenAnswers) {
  Start();
  ASSERT_TRUE(Wait(Hand({Follow("a", "b")})).ok());
  const auto messages = ReadAll("follows");
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].key, "a");
  EXPECT_EQ(messages[0].event.cells.at(0), Put("from", "b"));
  EXPECT_EQ(messages[0].event.sequence_id, 7u);
  EXPECT_EQ(messages[0].event.table, "guanzhu");
  EXPECT_EQ(publisher_->counts().events, 1);
}

TEST_F(PublisherTest, NeverAcknowledgesWhatASilentBrokerHasNotTaken) {
  Start();
  rd_kafka_mock_broker_set_rtt(mock_.raw(), 1, 3'600'000);
  auto answer = Hand({Follow("a", "b")});
  EXPECT_EQ(answer.wait_for(milliseconds(1500)), std::future_status::timeout);
  EXPECT_EQ(publisher_->counts().events, 0);
}

TEST_F(PublisherTest, AnswersWithTheReasonWhenTheBrokerStaysAway) {
  PublisherOptions options = Options();
  options.kafka.producer.delivery_timeout = milliseconds(1000);
  Start(options);
  mock_.SetDown(true);
  const Status status = Wait(Hand({Follow("a", "b")}));
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("writing to topic follows"));
  EXPECT_THAT(notices(), HasSubstr("HBase, which will send it again"));
  EXPECT_EQ(publisher_->counts().failed_calls, 1);
  EXPECT_EQ(publisher_->counts().events, 0);
}

TEST_F(PublisherTest, OneRefusedMessageOfManyFailsTheWholeCall) {
  Start();
  ASSERT_TRUE(Wait(Hand({Follow("a", "b")})).ok());
  const rd_kafka_resp_err_t refusal = RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
  rd_kafka_mock_push_request_errors_array(mock_.raw(), 0 /* Produce */, 1, &refusal);
  std::vector<Entry> entries;
  for (int i = 0; i < 100; ++i) entries.push_back(Follow("row" + std::to_string(i), "v"));
  EXPECT_EQ(Wait(Hand(entries)).code(), StatusCode::kPermission);
}

TEST_F(PublisherTest, WritesAgainWhatComesAgainAndCountsIt) {
  Start();
  ASSERT_TRUE(Wait(Hand({Follow("a", "b", 7), Follow("a", "c", 8)})).ok());
  ASSERT_TRUE(Wait(Hand({Follow("a", "b", 7), Follow("a", "c", 8), Follow("a", "d", 9)})).ok());
  EXPECT_EQ(ReadAll("follows").size(), 5u);
  EXPECT_EQ(publisher_->counts().again, 2);
}

TEST_F(PublisherTest, AcknowledgesAndCountsTablesThatNobodyAskedFor) {
  Start();
  ASSERT_TRUE(Wait(Hand({Entry{.table = "other", .cells = {{"a", Put("x", "1")}}}, Follow("a", "b")})).ok());
  EXPECT_EQ(ReadAll("follows").size(), 1u);
  EXPECT_EQ(publisher_->counts().of_other_tables, 1);
  EXPECT_THAT(notices(), HasSubstr("edits of table other arrive and are not captured"));
}

TEST_F(PublisherTest, ABulkLoadIsAnAlarm) {
  Start();
  const Cell marker{.family = "METAFAMILY", .qualifier = "HBASE::BULK_LOAD", .timestamp = 1, .value = ""};
  ASSERT_TRUE(Wait(Hand({Entry{.cells = {{"a", marker}}}})).ok());
  EXPECT_THAT(notices(), HasSubstr("ALARM a bulk load brought"));
  EXPECT_EQ(publisher_->counts().alarms, 1);
  EXPECT_TRUE(ReadAll("follows").empty());
}

TEST_F(PublisherTest, ALargeMutationTravelsInParts) {
  PublisherOptions options = Options();
  options.kafka.max_message_bytes = 100'000;
  Start(options);
  Entry entry;
  for (int i = 0; i < 30; ++i) entry.cells.push_back({"a", Put("q" + std::to_string(i), std::string(10'000, 'v'))});
  ASSERT_TRUE(Wait(Hand({entry})).ok());
  const auto messages = ReadAll("follows");  // which puts them together again
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].offset, 3);
  EXPECT_LT(messages[0].value.size(), 100'000u);
  ASSERT_EQ(messages[0].event.cells.size(), 30u);
  EXPECT_EQ(messages[0].event.cells[29].qualifier, "q29");
}

TEST_F(PublisherTest, ACellAboveTheLimitIsAnAlarmAndADeadLetterThatNamesIt) {
  PublisherOptions options = Options();
  options.kafka.max_message_bytes = 100'000;
  Start(options);
  const Entry entry{.cells = {{"a", Put("big", std::string(200'000, 'v'))}, {"a", Put("small", "v")}}};
  ASSERT_TRUE(Wait(Hand({entry})).ok());
  EXPECT_THAT(notices(), HasSubstr("ALARM cell f1:big at 1 of row a in table guanzhu has 200000 bytes"));
  EXPECT_EQ(ReadAll("follows").at(0).event.cells.at(0).qualifier, "small");
  const auto letters = ReadAll("dead");
  ASSERT_EQ(letters.size(), 1u);
  proto::DeadLetter letter;
  ASSERT_TRUE(letter.ParseFromString(letters[0].value));
  EXPECT_EQ(letter.row(), "a");
  EXPECT_THAT(letter.reason(), HasSubstr("f1:big at 1"));
}

TEST_F(PublisherTest, ACallThatCannotBeReadIsRefusedAndAnAlarm) {
  Start();
  EXPECT_EQ(Wait(Hand("nonsense", "")).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(notices(), HasSubstr("ALARM a call of a region server cannot be read"));
}

TEST_F(PublisherTest, ACallThatIsBrokenFurtherOnWritesNothing) {
  Start();
  const std::vector<Entry> entries = {Follow("a", "b"), Follow("c", "d")};
  const std::string cells = CellBlock(entries);
  EXPECT_EQ(Wait(Hand(RequestBytes(entries), cells.substr(0, cells.size() - 1))).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(ReadAll("follows").empty());
}

TEST_F(PublisherTest, NothingOfAnotherClusterIsWrittenOrAcknowledged) {
  PublisherOptions options = Options();
  options.check_source = [](const ClusterUuid& source) {
    if (source == ClusterUuid{2, 1}) return Status();  // that of hbase_bytes.h
    return Status(StatusCode::kConfiguration, "another cluster");
  };
  Start(options);
  ASSERT_TRUE(Wait(Hand({Follow("a", "b")})).ok());
  Entry stranger = Follow("c", "d");
  stranger.source = {7, 7};
  EXPECT_EQ(Wait(Hand({stranger})).code(), StatusCode::kConfiguration);
  EXPECT_EQ(ReadAll("follows").size(), 1u);
  EXPECT_THAT(notices(), HasSubstr("ALARM not acknowledged to HBase, which will send it again: another cluster"));
}

TEST_F(PublisherTest, ALastingRefusalIsAnAlarmThatNamesTableAndTopic) {
  Start();
  ASSERT_TRUE(Wait(Hand({Follow("a", "b")})).ok());
  const rd_kafka_resp_err_t refusal = RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE;
  rd_kafka_mock_push_request_errors_array(mock_.raw(), 0 /* Produce */, 1, &refusal);
  EXPECT_EQ(Wait(Hand({Follow("c", "d")})).code(), StatusCode::kRejected);
  EXPECT_THAT(notices(), HasSubstr("ALARM not acknowledged to HBase"));
  EXPECT_THAT(notices(), HasSubstr("writing to topic follows"));
  EXPECT_THAT(notices(), HasSubstr("(of table guanzhu)"));
}

TEST_F(PublisherTest, EditsOfATableThatWasDroppedAreAnAlarm) {
  PublisherOptions options = Options();
  options.was_captured = [](std::string_view table) { return table == "other"; };
  Start(options);
  const Entry entry{.table = "other", .cells = {{"a", Put("x", "1")}}};
  ASSERT_TRUE(Wait(Hand({entry, entry})).ok());
  EXPECT_THAT(notices(), HasSubstr("ALARM edits of table other, which was captured before"));
  EXPECT_EQ(publisher_->counts().alarms, 1);
}

TEST_F(PublisherTest, CellsThatNotEverybodyMaySeeAreAnAlarmOnceATable) {
  Start();
  Cell secret = Put("x", "1");
  secret.tags = {{.type = 2, .value = "label"}};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Wait(Hand({Entry{.cells = {{"a", secret}}}})).ok());
  EXPECT_THAT(notices(), HasSubstr("ALARM cells of table guanzhu carry visibility labels or access control lists"));
  EXPECT_EQ(publisher_->counts().alarms, 1);
  EXPECT_EQ(ReadAll("follows").size(), 3u);
}

TEST_F(PublisherTest, AMutationOfTinyCellsCostsNoMoreThanItsMessages) {
  PublisherOptions options = Options();
  options.kafka.producer.max_queued_bytes = 16 << 20;
  Start(options);
  Entry entry;
  entry.cells.assign(1'000'000, {"a", Put("", "")});
  const std::string request = RequestBytes({entry});
  std::string cells = CellBlock({entry});  // 29 MB
  entry.cells = {};
  const MemoryGrowth growth;
  ASSERT_TRUE(Wait(Hand(request, cells)).ok());
  EXPECT_LT(growth.Kilobytes(), (2 * 29 + 16 + 16 + 64) * 1024)
      << "the call and its copy in this test, the queue, the mock's log, and 64 MiB";
}

TEST_F(PublisherTest, WorkOnACallThatNobodyWaitsForEnds) {
  PublisherOptions options = Options();
  options.workers = 1;
  options.kafka.producer.max_queued_bytes = 64 << 10;
  Start(options);
  rd_kafka_mock_broker_set_rtt(mock_.raw(), 1, 3'600'000);
  std::vector<Entry> entries;
  for (int i = 0; i < 50; ++i) entries.push_back(Follow("row" + std::to_string(i), std::string(10'000, 'v')));
  auto answer = Hand(entries);  // more than the queue holds
  EXPECT_EQ(answer.wait_for(milliseconds(300)), std::future_status::timeout);
  if (const auto call = last_call_.lock()) call->Answer(Status(StatusCode::kCancelled, "the caller went away"));
  EXPECT_EQ(Wait(std::move(answer)).code(), StatusCode::kCancelled);
  publisher_->Stop();  // does not wait for the broker
}

}  // namespace
}  // namespace fensi::capture
