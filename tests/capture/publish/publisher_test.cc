#include "capture/publish/publisher.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <future>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "consumer/kafka/client/topic_tail.h"
#include "proto/dead_letter.pb.h"
#include "tests/capture/hbase_bytes.h"
#include "tests/capture/notice_log.h"
#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::capture {
namespace {

using consumer::MockCluster;
using consumer::TopicTail;
using std::chrono::milliseconds;

struct Told final : consumer::DeliveryListener {
  void Delivered(const Status& status) override { told.set_value(status); }
  std::promise<Status> told;
};

/// Until nothing of the pool's producers is left to tell.
void WaitIdle(const ProducerPool& pool) {
  for (int i = 0; i < 10'000 && pool.unacknowledged() > 0; ++i) std::this_thread::sleep_for(milliseconds(1));
  ASSERT_EQ(pool.unacknowledged(), 0);
}

TEST(ProducerPoolTest, ATopicThatLostWhatItHadIsAnAlarm) {
  MockCluster mock;
  mock.CreateTopic("follows", 1);
  NoticeLog log;
  consumer::TrackedProducerOptions options;
  options.producer.cluster = mock.cluster();
  FakeClock clock;
  ProducerPool pool(options, log.Listener(), &clock);
  const auto write = [&] {
    clock.Advance(milliseconds(2'000));  // past the pause behind a producer that broke
    const auto producer = pool.Get();
    ASSERT_TRUE(producer.ok()) << producer.status().message();
    Told listener;
    const auto topic = (*producer)->OpenTopic("follows");
    ASSERT_TRUE((*producer)->Send(topic, "k", "v", &listener, [] { return true; }).ok());
    ASSERT_TRUE(listener.told.get_future().get().ok());
  };
  write();
  write();
  EXPECT_EQ(log.text(), "");
  (*pool.Get())->DeliveredForTest("follows", 0, 100);
  for (int i = 0; i < 2; ++i) {  // its successor, too
    (*pool.Get())->BreakForTest();
    WaitIdle(pool);
  }
  EXPECT_FALSE(pool.Get().ok()) << "a pause behind each that breaks";
  write();  // by the third one, when both are gone
  EXPECT_TRUE(log.Tells("ALARM: topic follows partition 0: offset 2 follows offset 100")) << log.text();
  EXPECT_TRUE(log.Tells("HBase does not send these changes again"));
  const long lines = log.lines();
  write();
  EXPECT_EQ(log.lines(), lines) << "the same topic";
}

/// Cells of a call that are a flood. Under a sanitizer the bound of their memory is not what is tried.
#ifdef FENSI_SANITIZED
constexpr size_t kMany = 50'000;
#else
constexpr size_t kMany = 1'000'000;
#endif

/// Answers every connection, but not in TLS.
class NotKafka {
 public:
  NotKafka() {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof place;
    EXPECT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&place), size), 0);
    EXPECT_EQ(listen(socket_, 10), 0);
    getsockname(socket_, reinterpret_cast<sockaddr*>(&place), &size);
    address_ = "127.0.0.1:" + std::to_string(ntohs(place.sin_port));
    thread_ = std::thread([this] { Serve(); });
  }
  ~NotKafka() {
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }
  const std::string& address() const { return address_; }

 private:
  void Serve() const {
    for (int client; (client = accept(socket_, nullptr, nullptr)) >= 0; close(client)) {
      char hello[4096];
      constexpr std::string_view kAnswer = "HTTP/1.1 400 Bad Request\r\n\r\n";
      if (recv(client, hello, sizeof hello, 0) > 0) send(client, kAnswer.data(), kAnswer.size(), MSG_NOSIGNAL);
      while (recv(client, hello, sizeof hello, 0) > 0) continue;  // until the other side closes
    }
  }

  const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  std::string address_;
  std::thread thread_;
};

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
  void Start(const PublisherOptions& options, Clock* clock = SystemClock()) {
    auto publisher = Publisher::Create(options, log_.Listener(), clock);
    ASSERT_TRUE(publisher.ok()) << publisher.status().ToString();
    publisher_ = std::move(*publisher);
  }
  void Start() { Start(Options()); }

  /// A call as the server hands it out; the future has its answer.
  std::future<Status> Hand(const std::string& request, const std::string& cells) {
    auto answer = std::make_shared<std::promise<Status>>();
    std::future<Status> future = answer->get_future();
    const auto memory = std::make_shared<const std::string>(request + cells);
    const std::string_view bytes = *memory;
    auto call =
        std::make_shared<Call>(memory, bytes.substr(0, request.size()), bytes.substr(request.size()), "10.1.0.5:45678",
                               milliseconds(60'000), [answer](const Status& status) { answer->set_value(status); });
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
  std::string notices() const { return log_.text(); }

  MockCluster mock_;
  FakeClock clock_;
  NoticeLog log_;
  std::weak_ptr<Call> last_call_;
  std::unique_ptr<Publisher> publisher_;
};

Entry Follow(const std::string& row, const std::string& value, uint64_t sequence_id = 7) {
  return {.sequence_id = sequence_id, .cells = {{row, Put("from", value)}}};
}

Entry Marker(const std::string& row) {
  Cell cell{.family = "METAFAMILY", .qualifier = "HBASE::REPLICATION_MARKER", .timestamp = 1};
  return {.table = "hbase:meta", .cells = {{row, cell}}, .source = {0, 0}};
}

// They say no cluster, and their table is HBase's own.
TEST_F(PublisherTest, ReplicationMarkersAreHandedOnOnceTheirCallIsDurable) {
  std::vector<consumer::Mark::Call> told;
  bool durable = false;
  PublisherOptions options = Options();
  options.take_markers = [&](const CallMarkers& markers) {
    told = markers.calls();
    durable = ReadAll("follows").size() == 1;
  };
  Start(options);
  ASSERT_TRUE(Wait(Hand({Marker("rs,1,2_30"), Follow("a", "b"), Marker("rs,1,2_40"), Marker("none")})).ok());
  EXPECT_EQ(told, (std::vector<consumer::Mark::Call>{{"rs,1,2", 30, 40}}));
  EXPECT_TRUE(durable);
  EXPECT_EQ(publisher_->counts().entries, 1);
  EXPECT_EQ(publisher_->counts().of_other_tables, 0);
  EXPECT_EQ(notices(), "");
}

TEST_F(PublisherTest, OfACallWithoutReplicationMarkersIsToldToo) {
  std::vector<bool> empty;
  PublisherOptions options = Options();
  options.take_markers = [&](const CallMarkers& markers) { empty.push_back(markers.empty()); };
  Start(options);
  ASSERT_TRUE(Wait(Hand({Follow("a", "b")})).ok());
  EXPECT_THAT(empty, ::testing::ElementsAre(true));
}

TEST_F(PublisherTest, ReplicationMarkersOfACallThatFailedAreNotHandedOn) {
  bool told = false;
  PublisherOptions options = Options();
  options.take_markers = [&](const CallMarkers&) { told = true; };
  Start(options);
  Entry foreign = Follow("a", "b");
  foreign.source = {0, 0};
  EXPECT_FALSE(Wait(Hand({Marker("rs,1,2_30"), foreign})).ok());
  EXPECT_FALSE(told);
}

TEST_F(PublisherTest, AClockThatIsAheadHidesNoLaterWrite) {
  Start();
  Entry ahead = Follow("a", "b");
  ahead.write_time = INT64_MAX;
  ASSERT_TRUE(Wait(Hand({ahead})).ok());
  const auto now =
      std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  EXPECT_LE(publisher_->counts().newest_write_time, now);
  EXPECT_LE(publisher_->counts().tables.at("guanzhu").newest_write_time, now);
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
  const TableCounts of_table = publisher_->counts().tables.at("guanzhu");
  EXPECT_EQ(of_table.events, 1);
  EXPECT_EQ(of_table.cells, 1);
  EXPECT_EQ(of_table.newest_write_time, publisher_->counts().newest_write_time);
  EXPECT_EQ(publisher_->timings().delays.at("guanzhu").snapshot().count, 1);
  EXPECT_EQ(publisher_->unacknowledged(), 0);
}

TEST_F(PublisherTest, NeverAcknowledgesWhatASilentBrokerHasNotTaken) {
  Start();
  rd_kafka_mock_broker_set_rtt(mock_.raw(), 1, 3'600'000);
  auto answer = Hand({Follow("a", "b")});
  EXPECT_EQ(answer.wait_for(milliseconds(1500)), std::future_status::timeout);
  EXPECT_EQ(publisher_->counts().events, 0);
  EXPECT_EQ(publisher_->unacknowledged(), 1);
}

TEST_F(PublisherTest, AnswersWithTheReasonWhenTheBrokerStaysAway) {
  PublisherOptions options = Options();
  options.kafka.producer.delivery_timeout = milliseconds(1000);
  Start(options);
  mock_.SetDown(true);
  const Status status = Wait(Hand({Follow("a", "b")}));
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("writing to topic follows"));
  EXPECT_THAT(notices(), HasSubstr("did not acknowledge a call of a region server, and HBase sends the call again"));
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
  EXPECT_THAT(notices(), HasSubstr("edits of table other arrive, and no capture of this --znode captures the table"));
}

TEST_F(PublisherTest, ABulkLoadIsAnEventOfItsRegionsFirstRow) {
  Start();
  const Cell marker{.family = "METAFAMILY",
                    .qualifier = "HBASE::BULK_LOAD",
                    .timestamp = 1,
                    .value = BytesField(3, BytesField(1, "f1") + BytesField(3, "file"))};
  ASSERT_TRUE(Wait(Hand({Follow("a", "b"), Entry{.cells = {{"m", marker}}}})).ok());
  const auto messages = ReadAll("follows");
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[1].event.row, "m");
  EXPECT_EQ(messages[1].event.kind, EventKind::kBulkLoad);
  EXPECT_THAT(messages[1].event.families, ::testing::ElementsAre("f1"));
  EXPECT_EQ(messages[1].key, "m");
  EXPECT_THAT(notices(), HasSubstr("a bulk load brought 1 files into family f1 of table guanzhu"));
  EXPECT_EQ(publisher_->counts().alarms(), 0);
  EXPECT_EQ(publisher_->counts().tables.at("guanzhu").bulk_loads, 1);
}

TEST_F(PublisherTest, ABulkLoadIsSentBehindWhatIsAcknowledged) {
  constexpr milliseconds kAnswer(400);
  Start();
  ASSERT_TRUE(Wait(Hand({Follow("first", "b")})).ok());
  mock_.SetDelay(-1, kAnswer);
  const Cell marker{.family = "METAFAMILY", .qualifier = "HBASE::BULK_LOAD", .timestamp = 1};
  ASSERT_TRUE(Wait(Hand({Follow("a", "b"), Entry{.cells = {{"m", marker}}}})).ok());
  mock_.SetDelay(-1, milliseconds(0));
  std::map<std::string, int64_t> sent;
  for (const TopicTail::Message& message : ReadAll("follows")) sent[message.key] = message.message_time;
  EXPECT_GE(sent.at("m") - sent.at("a"), kAnswer.count() / 2) << "after the answer of the broker";
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
  EXPECT_THAT(notices(), HasSubstr("ALARM: cell f1:big at 1 of row a in table guanzhu is above the message limit of "
                                   "100000 bytes. Bytes of its value: 200000, qualifier: 3, tags: 0, row key: 1. The "
                                   "table has the cell, and the stream does not"));
  EXPECT_EQ(ReadAll("follows").at(0).event.cells.at(0).qualifier, "small");
  const auto letters = ReadAll("dead");
  ASSERT_EQ(letters.size(), 1u);
  proto::DeadLetter letter;
  ASSERT_TRUE(letter.ParseFromString(letters[0].value));
  EXPECT_EQ(letter.row(), "a");
  EXPECT_THAT(letter.reason(), HasSubstr("f1:big at 1"));
}

TEST_F(PublisherTest, OfAColumnThatAPersonHasNamedItIsAWarningAndADeadLetter) {
  PublisherOptions options = Options();
  options.kafka.max_message_bytes = 100'000;
  options.may_be_large = *ColumnSet::Parse(std::vector<std::string>{"guanzhu/f1:big"});
  Start(options);
  const Entry entry{
      .cells = {{"a", Put("big", std::string(200'000, 'v'))}, {"b", Put("other", std::string(200'000, 'v'))}}};
  ASSERT_TRUE(Wait(Hand({entry})).ok());
  EXPECT_THAT(notices(), HasSubstr("cell f1:big at 1 of row a"));
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM: cell f1:big")));
  EXPECT_THAT(notices(), HasSubstr("ALARM: cell f1:other"));
  EXPECT_EQ(ReadAll("dead").size(), 2u);
  EXPECT_EQ(publisher_->counts().alarms(), 1);
}

TEST(ColumnSet, HasColumnsAndWholeFamiliesOfATable) {
  const Result<ColumnSet> set = ColumnSet::Parse(std::vector<std::string>{"ns:t/f:a\\x00b", "default:u/g"});
  ASSERT_TRUE(set.ok()) << set.status().ToString();
  EXPECT_TRUE(set->Has("ns:t", "f", std::string_view("a\0b", 3)));
  EXPECT_FALSE(set->Has("ns:t", "f", "a"));
  EXPECT_FALSE(set->Has("t", "f", std::string_view("a\0b", 3)));
  EXPECT_TRUE(set->Has("u", "g", "anything"));
  EXPECT_FALSE(set->Has("u", "h", ""));
  for (const char* bad : {"t", "t/", "t/:a", "/f:a", "t t/f", "t/f:\\x0"}) {
    EXPECT_EQ(ColumnSet::Parse(std::vector<std::string>{bad}).status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

TEST_F(PublisherTest, ARowThatStandsInAnEntryApartIsOneMutationInParts) {
  PublisherOptions options = Options();
  options.kafka.max_message_bytes = 100'000;
  Start(options);
  Entry entry;
  const auto add = [&entry](const std::string& row, int cells) {
    for (int i = 0; i < cells; ++i) {
      entry.cells.push_back({row, Put("q" + std::to_string(entry.cells.size()), std::string(10'000, 'v'))});
    }
  };
  add("a", 30);
  add("b", 1);
  add("a", 30);
  ASSERT_TRUE(Wait(Hand({entry})).ok());
  std::map<std::string, size_t> cells;
  for (const auto& message : ReadAll("follows")) cells[message.event.row] += message.event.cells.size();
  EXPECT_EQ(cells, (std::map<std::string, size_t>{{"a", 60}, {"b", 1}}));
}

/// What a cell's names, value and tags have in bytes.
struct Sizes {
  size_t row, qualifier, value, tags;
};

/// Each cell stands in the stream or is named by a letter, and no message has more than the limit.
void ExpectAllWritten(const std::vector<Sizes>& cells, const std::vector<TopicTail::Message>& stream,
                      const std::vector<TopicTail::Message>& letters, size_t limit) {
  constexpr size_t kBatch = 128;  // what Kafka puts around a message
  std::set<size_t> rows_in_stream, rows_in_letters;
  for (const auto& message : stream) {
    const bool good = message.key.size() <= 32'767;  // HBase holds no longer row
    EXPECT_EQ(message.decoded.ok(), good) << message.decoded.ToString();
    rows_in_stream.insert(message.key.size());
  }
  for (const auto& message : letters) {
    EXPECT_LE(message.key.size() + message.value.size() + kBatch, limit);
    proto::DeadLetter letter;
    ASSERT_TRUE(letter.ParseFromString(message.value));
    const std::string& reason = letter.reason();
    const size_t at = reason.find("row key: ");
    ASSERT_NE(at, std::string::npos) << reason;
    const size_t row = std::stoul(reason.substr(at + 9));
    EXPECT_EQ(letter.row().size(), row > 32'767 ? 0 : row) << "HBase holds no longer row";
    rows_in_letters.insert(row);
  }
  for (const Sizes& cell : cells) {
    const bool fits = 2 * cell.row + cell.qualifier + cell.value + cell.tags < limit;
    EXPECT_TRUE(rows_in_stream.contains(cell.row) || rows_in_letters.contains(cell.row)) << cell.row;
    EXPECT_TRUE(fits || rows_in_letters.contains(cell.row)) << cell.row;
  }
}

TEST_F(PublisherTest, EveryMessageFitsWhateverNamesValuesAndTagsACellHas) {
  for (const size_t limit : {64'000, 100'000, 1'000'000}) {
    PublisherOptions options = Options();
    options.kafka.max_message_bytes = limit;
    options.dead_letter_topic = "dead" + std::to_string(limit);
    options.topics = {{"guanzhu", "follows" + std::to_string(limit)}};
    mock_.CreateTopic(options.dead_letter_topic, 1);
    mock_.CreateTopic(options.topics.at("guanzhu"), 1);
    Start(options);
    std::vector<Sizes> cells;
    std::vector<Entry> entries;
    size_t row = 1;  // a length of its own for each, by which it is found
    for (const size_t longer : {0, 7'000, 16'000, 30'000, 32'000, 65'000}) {
      for (const size_t qualifier : {0, 1'500, 32'767, 70'000, 1'200'000}) {
        for (const size_t value : {0, 63'000, 1'100'000}) {
          const Sizes sizes{longer + row++, qualifier, value, row % 3 * 20'000};
          // Each byte of these is shown as four.
          Cell cell = Put(std::string(sizes.qualifier, '\x01'), std::string(sizes.value, 'v'));
          if (sizes.tags > 0) cell.tags = {{.type = 200, .value = std::string(sizes.tags, 't')}};
          entries.push_back({.sequence_id = row, .cells = {{std::string(sizes.row, '\0'), cell}}});
          cells.push_back(sizes);
        }
      }
    }
    const Status status = Wait(Hand(entries));
    ASSERT_TRUE(status.ok()) << status.ToString();
    ExpectAllWritten(cells, ReadAll(options.topics.at("guanzhu")), ReadAll(options.dead_letter_topic), limit);
    publisher_->Stop();
  }
}

TEST_F(PublisherTest, ACallThatCannotBeReadIsRefusedAndAnAlarmThatNamesTheServer) {
  Start();
  EXPECT_EQ(Wait(Hand("nonsense", "")).code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(notices(),
              HasSubstr("ALARM: the capture cannot read a call of the region server at 10.1.0.5:45678. HBase"));
  EXPECT_THAT(log_.servers(), ::testing::ElementsAre("10.1.0.5:45678"));
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
  EXPECT_THAT(notices(), HasSubstr("and HBase sends the call again: another cluster"));
}

TEST_F(PublisherTest, ALastingRefusalIsAnAlarmThatNamesTableAndTopic) {
  Start();
  ASSERT_TRUE(Wait(Hand({Follow("a", "b")})).ok());
  const rd_kafka_resp_err_t refusal = RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE;
  rd_kafka_mock_push_request_errors_array(mock_.raw(), 0 /* Produce */, 1, &refusal);
  EXPECT_EQ(Wait(Hand({Follow("c", "d")})).code(), StatusCode::kRejected);
  EXPECT_THAT(notices(), HasSubstr("ALARM: the capture did not acknowledge a call"));
  EXPECT_THAT(notices(), HasSubstr("writing to topic follows"));
  EXPECT_THAT(notices(), HasSubstr("(of table guanzhu into topic follows)"));
}

TEST_F(PublisherTest, ConnectionsThatAreRefusedForLongAreAnAlarmBeforeAnyCallHasFailed) {
  const NotKafka refusing;
  PublisherOptions options = Options();
  options.kafka.producer.cluster = {.brokers = refusing.address(), .properties = {{"security.protocol", "ssl"}}};
  options.kafka.producer.delivery_timeout = std::chrono::minutes(5);
  options.refusal_timeout = milliseconds(500);
  Start(options, &clock_);
  const auto hand_until_told = [&](long times) {
    for (int i = 0; i < 600 && log_.lines() < times; ++i) {
      Hand({Follow("a", "b")});
      std::this_thread::sleep_for(milliseconds(100));
    }
    EXPECT_EQ(log_.lines(), times) << notices();
  };
  const auto begin = std::chrono::steady_clock::now();
  hand_until_told(1);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, options.refusal_timeout);
  EXPECT_THAT(notices(),
              HasSubstr("ALARM: Kafka refuses messages, so the capture acknowledges no call to HBase: no encrypted "
                        "connection to Kafka"));
  EXPECT_THAT(notices(), HasSubstr("(of table guanzhu into topic follows)"));
  EXPECT_EQ(publisher_->counts().failed_calls, 0);
  clock_.Advance(milliseconds(9'000));
  for (int i = 0; i < 5; ++i) Hand({Follow("a", "b")});
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_EQ(log_.lines(), 1) << "now and then is enough";
  clock_.Advance(milliseconds(1'000));
  hand_until_told(2);
}

TEST_F(PublisherTest, EditsOfATableThatWasDroppedAreAnAlarm) {
  PublisherOptions options = Options();
  options.was_captured = [](std::string_view table) { return table == "other"; };
  Start(options);
  const Entry entry{.table = "other", .cells = {{"a", Put("x", "1")}}};
  ASSERT_TRUE(Wait(Hand({entry, entry})).ok());
  EXPECT_THAT(notices(), HasSubstr("ALARM: edits of table other arrive and are lost"));
  EXPECT_EQ(publisher_->counts().alarms(), 1);
}

// The alert counts the alarms of 15 minutes.
TEST_F(PublisherTest, EditsOfADroppedTableAreAnAlarmAgainAsLongAsTheyArrive) {
  PublisherOptions options = Options();
  options.was_captured = [](std::string_view table) { return table == "dropped"; };
  Start(options, &clock_);
  const Entry dropped{.table = "dropped", .cells = {{"a", Put("x", "1")}}};
  const Entry other{.table = "other", .cells = {{"a", Put("x", "1")}}};
  const auto lines_after = [&](std::chrono::milliseconds time) {
    clock_.Advance(time);
    EXPECT_TRUE(Wait(Hand({dropped, other, dropped})).ok());
    return log_.lines();
  };
  EXPECT_EQ(lines_after(milliseconds(0)), 2);
  EXPECT_EQ(lines_after(std::chrono::minutes(5) - milliseconds(1)), 2);
  EXPECT_EQ(lines_after(milliseconds(1)), 3) << "of the dropped table alone: " << notices();
  EXPECT_EQ(lines_after(std::chrono::minutes(4)), 3);
  EXPECT_EQ(lines_after(std::chrono::minutes(1)), 4);
  EXPECT_EQ(publisher_->counts().alarms_of[static_cast<size_t>(NoticeKind::kDroppedTable)], 3);
}

// Other tables fill what the capture remembers.
TEST_F(PublisherTest, EditsOfADroppedTableAreAnAlarmBesideThousandsOfOtherTables) {
  PublisherOptions options = Options();
  options.was_captured = [](std::string_view table) { return table == "dropped"; };
  Start(options, &clock_);
  std::vector<Entry> others;
  for (int i = 0; i < 3'000; ++i)
    others.push_back({.table = "other" + std::to_string(i), .cells = {{"a", Put("x", "1")}}});
  ASSERT_TRUE(Wait(Hand(others)).ok());
  clock_.Advance(std::chrono::minutes(5));
  ASSERT_TRUE(Wait(Hand({Entry{.table = "dropped", .cells = {{"a", Put("x", "1")}}}})).ok());
  EXPECT_EQ(publisher_->counts().alarms_of[static_cast<size_t>(NoticeKind::kDroppedTable)], 1);
}

TEST_F(PublisherTest, CellsThatNotEverybodyMaySeeAreAnAlarmOnceATable) {
  Start();
  Cell secret = Put("x", "1");
  secret.tags = {{.type = 2, .value = "label"}};
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Wait(Hand({Entry{.cells = {{"a", secret}}}})).ok());
  EXPECT_THAT(notices(), HasSubstr("ALARM: cells of table guanzhu have visibility labels or access control lists"));
  EXPECT_EQ(publisher_->counts().alarms(), 1);
  EXPECT_EQ(ReadAll("follows").size(), 3u);
}

TEST_F(PublisherTest, AMessageMayBeLargerThanTheQueue) {
  PublisherOptions options = Options();
  options.kafka.producer.max_queued_bytes = 1 << 20;
  options.kafka.max_message_bytes = 8'000'000;
  Start(options);
  ASSERT_TRUE(Wait(Hand({Follow("a", std::string(4'000'000, 'b'))})).ok());
  EXPECT_EQ(ReadAll("follows").size(), 1u);
}

class TinyCellsTest : public PublisherTest, public ::testing::WithParamInterface<size_t> {};

TEST_P(TinyCellsTest, AMutationOfThemCostsNoMoreThanItsMessages) {
  PublisherOptions options = Options();
  options.kafka.max_message_bytes = GetParam();
  options.kafka.producer.max_queued_bytes = 16 << 20;
  Start(options);
  Entry entry;
  entry.cells.assign(kMany, {"a", Put("", "")});
  const std::string request = RequestBytes({entry});
  std::string cells = CellBlock({entry});  // 29 MB
  entry.cells = {};
  const MemoryGrowth growth;
  ASSERT_TRUE(Wait(Hand(request, cells)).ok());
  EXPECT_LT(growth.Kilobytes(), (2 * 29 + 16 + 16 + 64) * 1024)
      << "the call and its copy in this test, the queue, the mock's log, and 64 MiB";
}
INSTANTIATE_TEST_SUITE_P(MessageLimits, TinyCellsTest, ::testing::Values(1'000'000, 99'000'000));

TEST_F(PublisherTest, AFloodOfTinyRowsCostsNoMoreThanTheQueue) {
  PublisherOptions options = Options();
  options.kafka.producer.max_queued_bytes = 32 << 20;
  Start(options);
  rd_kafka_mock_broker_set_rtt(mock_.raw(), 1, 3'600'000);
  const std::string cluster = BytesField(8, NumberField(1, 1) + NumberField(2, 2));
  const std::string key = BytesField(2, "guanzhu") + NumberField(3, 7) + cluster;
  const std::string request = BytesField(1, BytesField(1, key) + NumberField(3, kMany));
  std::string cells;
  for (uint64_t row = 0; row < kMany; ++row) cells += CellBytes(BigEndian(row, 4), {.family = "f"});
  auto answer = Hand(request, cells);  // 33 MB
  const MemoryGrowth growth;
  EXPECT_EQ(answer.wait_for(std::chrono::seconds(3)), std::future_status::timeout);
  EXPECT_LT(growth.Kilobytes(), (32 + 64) * 1024) << "the queue, and what its messages take beside their bytes";
  if (const auto call = last_call_.lock()) call->Answer(Status(StatusCode::kCancelled, "the caller went away"));
  EXPECT_EQ(Wait(std::move(answer)).code(), StatusCode::kCancelled);
}

TEST_F(PublisherTest, AFloodOfBrokenCallsWritesFewLinesAndIsCounted) {
  Start();
  for (int i = 0; i < 300; ++i) EXPECT_FALSE(Wait(Hand("nonsense", "")).ok());
  EXPECT_LE(log_.lines(), 102);
  EXPECT_GE(publisher_->counts().alarms(), 300);
}

TEST_F(PublisherTest, EditsThatNameNoClusterAreRefused) {
  PublisherOptions options = Options();
  bool asked = false;
  options.check_source = [&](const ClusterUuid&) { return asked = true, Status(); };
  Start(options);
  Entry entry = Follow("a", "b");
  entry.source = {0, 0};
  const Status status = Wait(Hand({entry}));
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("names no HBase cluster"));
  EXPECT_FALSE(asked) << "it would be remembered as the only one";
  EXPECT_TRUE(ReadAll("follows").empty());
}

TEST(RegionMarks, NamesOfAStrangerCostLittleAndAreCountedOnce) {
  RegionMarks marks;
  NewestByRegion flood, other;
  const MemoryGrowth growth;
  for (int i = 0; i < 100'000; ++i) marks.Note(std::to_string(i) + std::string(1000, 'r'), 7, &flood);
  EXPECT_EQ(flood.size(), RegionMarks::kMaxRegions);
  EXPECT_LT(growth.Kilobytes(), 16 * 1024);
  marks.Note("region", 7, &other);
  EXPECT_TRUE(other.empty()) << "of all calls together";
  marks.Settle(flood, /*durable=*/false);
  marks.Note("region", 7, &other);
  marks.Note("region", 5, &other);
  EXPECT_FALSE(marks.Knows("region", 7));
  marks.Settle(other, /*durable=*/true);
  EXPECT_TRUE(marks.Knows("region", 7));
  EXPECT_FALSE(marks.Knows("region", 8));
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

TEST_F(PublisherTest, WhatAStopGivesUpIsNoAlarm) {
  Start();
  ASSERT_TRUE(Wait(Hand({Follow("a", "b")})).ok());
  rd_kafka_mock_broker_set_rtt(mock_.raw(), 1, 3'600'000);
  auto answer = Hand({Follow("c", "d")});
  EXPECT_EQ(answer.wait_for(milliseconds(300)), std::future_status::timeout);
  publisher_->Stop();
  EXPECT_EQ(Wait(std::move(answer)).code(), StatusCode::kCancelled);
  EXPECT_EQ(publisher_->counts().alarms(), 0) << notices();
}

}  // namespace
}  // namespace fensi::capture
