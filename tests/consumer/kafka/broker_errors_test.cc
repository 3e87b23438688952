// What a consumer does when a broker refuses a request, for every error and every request, on the mock cluster.
#include <gmock/gmock.h>

#include <array>
#include <deque>
#include <sstream>

#include "consumer/kafka/kafka_source.h"
#include "tests/consumer/kafka/source_fixture.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

// What each cell must be, by the protocol's meaning of the error (Kafka's Errors.java):
//   g  goes on, and nothing is left out: the error passes by itself, is answered by joining the group anew, or makes no
//      sense in this answer, so that it says nothing; meanwhile it is trouble, for people
//   G  the index stops: events are lost to it (exit code 78, with the remedy)
//   m  the index stops: there is no such topic (exit code 78). Only when the answers of the first 3 s all say so:
//   brokers
//      that have just started know no topic (ATopicThatIsNotThereIsNamed)
//   p  the index stops: it may not read the topic or be in the group (exit code 77). A member's SyncGroup and Heartbeat
//      are asked again by the client itself, in silence; a refusal that stays meets the next JoinGroup or OffsetCommit
//      (ARefusalThatStaysEndsTheSource)
constexpr char kTable[] = R"(
                          Metadata FindCoordinator JoinGroup SyncGroup OffsetFetch ListOffsets Fetch Heartbeat OffsetCommit
LEADER_NOT_AVAILABLE      g        g               g         g         g           g           g     g         g
NOT_LEADER_FOR_PARTITION  g        g               g         g         g           g           g     g         g
REQUEST_TIMED_OUT         g        g               g         g         g           g           g     g         g
NETWORK_EXCEPTION         g        g               g         g         g           g           g     g         g
COORDINATOR_LOAD          g        g               g         g         g           g           g     g         g
COORDINATOR_NOT_AVAILABLE g        g               g         g         g           g           g     g         g
NOT_COORDINATOR           g        g               g         g         g           g           g     g         g
ILLEGAL_GENERATION        g        g               g         g         g           g           g     g         g
UNKNOWN_MEMBER_ID         g        g               g         g         g           g           g     g         g
REBALANCE_IN_PROGRESS     g        g               g         g         g           g           g     g         g
UNKNOWN_TOPIC_OR_PART     g        g               g         g         g           g           g     g         g
OFFSET_OUT_OF_RANGE       g        g               g         g         g           g           G     g         g
TOPIC_AUTHORIZATION       p        p               p         g         p           p           p     g         p
GROUP_AUTHORIZATION       p        p               p         g         p           p           p     g         p
)";

const std::map<std::string, rd_kafka_resp_err_t> kErrors = {
    {"LEADER_NOT_AVAILABLE", RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE},
    {"NOT_LEADER_FOR_PARTITION", RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION},
    {"REQUEST_TIMED_OUT", RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT},
    {"NETWORK_EXCEPTION", RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION},
    {"COORDINATOR_LOAD", RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS},
    {"COORDINATOR_NOT_AVAILABLE", RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE},
    {"NOT_COORDINATOR", RD_KAFKA_RESP_ERR_NOT_COORDINATOR},
    {"ILLEGAL_GENERATION", RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION},
    {"UNKNOWN_MEMBER_ID", RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID},
    {"REBALANCE_IN_PROGRESS", RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS},
    {"UNKNOWN_TOPIC_OR_PART", RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART},
    {"OFFSET_OUT_OF_RANGE", RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE},
    {"TOPIC_AUTHORIZATION", RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED},
    {"GROUP_AUTHORIZATION", RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED},
};

// Kafka's numbers of the requests; Metadata has none here: the mock answers it with the error of a topic.
const std::map<std::string, int16_t> kRequests = {
    {"Metadata", -1},  {"FindCoordinator", 10}, {"JoinGroup", 11},
    {"SyncGroup", 14}, {"OffsetFetch", 9},      {"ListOffsets", 2},
    {"Fetch", 1},      {"Heartbeat", 12},       {"OffsetCommit", 8},
};

/// error -> what is expected, in one column of the table.
std::map<std::string, char> Column(const std::string& request) {
  std::istringstream lines(kTable);
  std::string line, word;
  std::getline(lines, line);  // empty
  std::getline(lines, line);
  std::istringstream heads(line);
  size_t column = 0;
  while (heads >> word && word != request) ++column;
  std::map<std::string, char> cells;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string error;
    words >> error;
    for (size_t i = 0; i <= column; ++i) words >> word;
    cells[error] = word[0];
  }
  return cells;
}

bool Says(const Status& status, const char* text) { return status.message().find(text) != std::string::npos; }

char Letter(const Status& end) {
  switch (end.code()) {
    case StatusCode::kPermission:
      return 'p';
    case StatusCode::kGap:
      return Says(end, "does not have offset") ? 'G' : '?';
    case StatusCode::kNotFound:
      return Says(end, "fensi create") ? 'm' : '?';
    default:
      return '?';
  }
}

/// One cell: a cluster and a source of its own.
class TableCell : public KafkaSourceTest {
 public:
  void TestBody() override {}

  /// What happens when the broker answers some requests with the error.
  char Observe(const std::string& request, rd_kafka_resp_err_t error) {
    constexpr int64_t kHalf = 20;
    MakeTopic(1);
    const int16_t number = kRequests.at(request);
    const bool while_reading = request == "Fetch" || request == "Heartbeat" || request == "OffsetCommit";
    if (!while_reading) Inject(number, error);
    const auto source = Source();
    Worker worker(source.get());
    if (number < 0) HealTopic(source.get(), worker);
    Fill(0, kHalf);
    const auto done = [&](size_t count) { return worker.ended() || worker.records() >= count; };
    if (!EventuallyInGroup([&] { return done(kHalf); })) return 's';
    if (while_reading) Inject(number, error);
    Fill(0, kHalf);
    if (!EventuallyInGroup([&] { return done(2 * kHalf); })) return 's';
    return Verdict(source.get(), &worker, number, 2 * kHalf);
  }

 private:
  void Inject(int16_t number, rd_kafka_resp_err_t error) {
    if (number < 0) return rd_kafka_mock_topic_set_error(mock_.raw(), "changes", error);
    const std::array<rd_kafka_resp_err_t, 2> errors = {error, error};
    rd_kafka_mock_push_request_errors_array(mock_.raw(), number, errors.size(), errors.data());
  }
  void HealTopic(KafkaSource* source, const Worker& worker) {
    EXPECT_TRUE(EventuallyInGroup([&] { return worker.ended() || !source->progress().trouble.empty(); }));
    rd_kafka_mock_topic_set_error(mock_.raw(), "changes", RD_KAFKA_RESP_ERR_NO_ERROR);
  }
  /// Waits until all is committed or the source has ended: errors of commits and heartbeats come late.
  char Verdict(KafkaSource* source, Worker* worker, int16_t number, int64_t count) {
    const milliseconds heartbeats(1000);
    const auto quiet = std::chrono::steady_clock::now() + heartbeats;
    const auto settled = [&] {
      return worker->ended() || (std::chrono::steady_clock::now() > quiet && source->progress().trouble.empty());
    };
    if (!EventuallyInGroup(settled)) return 't';
    if (worker->ended()) return Letter(worker->Join());
    if (!WhatIsLeftOut(worker->rows(0), count).empty()) return 'l';
    if (number >= 0) rd_kafka_mock_clear_request_errors(mock_.raw(), number);
    if (!AtRest(source, worker, count)) return 'u';
    if (worker->ended()) return Letter(worker->Join());
    source->Stop();
    const Status joined = worker->Join();
    EXPECT_TRUE(joined.ok()) << joined.ToString();
    const Status closed = source->Close();
    EXPECT_TRUE(closed.ok()) << closed.ToString();
    return joined.ok() && closed.ok() ? 'g' : 'c';
  }
  /// Not in the midst of a rebalance, in which the mock refuses the last commit and may drop the farewell; an error
  /// that was told last begins one with the next heartbeats.
  bool AtRest(KafkaSource* source, Worker* worker, int64_t count) {
    constexpr milliseconds kHeartbeats(600);
    auto since = std::chrono::steady_clock::now();
    bool committed = false;
    return EventuallyInGroup([&] {
      const auto now = std::chrono::steady_clock::now();
      const bool assigned = source->progress().partitions == 1;
      if (!assigned || !committed) since = now;
      // Asked once more only behind a rebalance: each question is a client of its own.
      committed = assigned && (committed || Committed() == std::vector<int64_t>{count});
      return worker->ended() || now - since >= kHeartbeats;
    });
  }
};

class BrokerErrors : public ::testing::TestWithParam<std::string> {};

TEST_P(BrokerErrors, AreMetAsTheTableSays) {
  const std::map<std::string, char> expected = Column(GetParam());
  ASSERT_EQ(expected.size(), kErrors.size());
  std::map<std::string, char> observed;
  std::mutex mu;
  std::deque<TableCell> cells;  // made and ended here: GoogleTest wants that of its tests
  std::vector<std::thread> threads;
  for (const auto& [name, error] : kErrors) {
    threads.emplace_back([&, cell = &cells.emplace_back(), key = name, code = error] {
      const char letter = cell->Observe(GetParam(), code);
      const std::lock_guard lock(mu);
      observed[key] = letter;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(observed, expected);
}

INSTANTIATE_TEST_SUITE_P(Of, BrokerErrors,
                         ::testing::Values("Metadata", "FindCoordinator", "JoinGroup", "SyncGroup", "OffsetFetch",
                                           "ListOffsets", "Fetch", "Heartbeat", "OffsetCommit"),
                         [](const auto& request) { return request.param; });

TEST_F(KafkaSourceTest, ARefusalThatStaysEndsTheSource) {
  MakeTopic(1);
  const auto source = Source();
  Worker worker(source.get());
  Fill(0, 10);
  ASSERT_TRUE(Eventually([&] { return worker.records() == 10; }));
  const std::vector<rd_kafka_resp_err_t> refusals(1000, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED);
  for (const char* request : {"JoinGroup", "SyncGroup", "Heartbeat", "OffsetCommit"}) {
    rd_kafka_mock_push_request_errors_array(mock_.raw(), kRequests.at(request), refusals.size(), refusals.data());
  }
  Fill(0, 10);
  EXPECT_EQ(worker.Join().code(), StatusCode::kPermission);
}

TEST_F(KafkaSourceTest, AMemberWhoseNameAnotherOneTookEnds) {
  MakeTopic(1);
  options_.instance = "fensi-0";
  const auto source = Source();
  Worker worker(source.get());
  Fill(0, 10);
  ASSERT_TRUE(EventuallyInGroup([&] { return worker.records() == 10; }));
  rd_kafka_mock_push_request_errors(mock_.raw(), kRequests.at("Heartbeat"), 1, RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID);
  ASSERT_TRUE(EventuallyInGroup([&] { return worker.ended(); }));
  const Status end = worker.Join();
  EXPECT_EQ(end.code(), StatusCode::kFenced);
  EXPECT_TRUE(Says(end, "another member of group g joined with the name of this daemon")) << end.ToString();
}

}  // namespace
}  // namespace fensi::consumer
