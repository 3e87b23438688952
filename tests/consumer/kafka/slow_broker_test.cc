// Brokers that take seconds for each answer. Cases wait side by side.
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <list>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "consumer/kafka/kafka_source.h"
#include "tests/consumer/kafka/every_call.h"
#include "tests/consumer/kafka/source_fixture.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// FENSI_TEST_SLOW_MS: one more, for who has the time.
std::vector<milliseconds> WithMore(std::vector<milliseconds> answers) {
  const char* more = std::getenv("FENSI_TEST_SLOW_MS");  // NOLINT(concurrency-mt-unsafe)
  if (more != nullptr) answers.emplace_back(std::atoi(more));
  return answers;
}

/// A client connects (twice, to a leader or a coordinator too), asks who is who, and asks.
constexpr int kMostAnswers = 8;
/// A machine under load does nothing for so long; the client's clock goes on.
constexpr seconds kStandstill(5);
constexpr seconds kSlack(20);  // a busy machine

/// What the call answers when nothing is slow; the mock cannot do all that it is asked for.
std::map<std::string, StatusCode> UsualCodes(const MockCluster& mock) {
  std::map<std::string, StatusCode> codes;
  for (const auto& [name, call] : EveryCall(seconds(20))) {
    // The mock makes and deletes no topics, and librdkafka 2.0.2 does not survive its answer to who wants groups
    // described or deleted.
    static const std::set<std::string> kUnknown = {"create", "delete topic", "delete group", "group", "replay"};
    if (!kUnknown.contains(name)) codes[name] = call(mock.cluster()).code();
  }
  return codes;
}

void CallsMeet(milliseconds answer) {
  const std::string slow = ", answered after " + std::to_string(answer.count()) + " ms: ";
  MockCluster mock;
  SkippingClock clock;
  mock.CreateTopic("changes", 2);
  const std::map<std::string, StatusCode> usual = UsualCodes(mock);
  mock.SetDelay(-1, answer);
  std::vector<std::future<void>> calls;
  const auto begin_call = [&](const std::string& name, milliseconds timeout, bool must_succeed) {
    calls.push_back(std::async(std::launch::async, [=, &usual, &mock, &clock] {
      const auto begin = clock.MonotonicNow();
      const Status status = EveryCall(timeout).at(name)(mock.cluster());
      const milliseconds took = clock.MonotonicNow() - begin;
      const std::string what = name + slow + status.ToString() + " after " + std::to_string(took.count()) + " ms";
      EXPECT_LT(took, timeout + kSlack) << what;
      if (must_succeed) {
        EXPECT_EQ(status.code(), usual.at(name)) << what;
      } else {
        EXPECT_TRUE(status.code() == usual.at(name) || status.code() == StatusCode::kUnavailable) << what;
      }
    }));
  };
  for (const auto& [name, code] : usual) {
    // A producer gives its messages a quarter of the time.
    begin_call(name, (name == "produce" ? 4 : 1) * (kMostAnswers * answer + kStandstill), true);
    begin_call(name, seconds(2), false);
  }
  calls.clear();  // waits
  mock.SetDelay(-1, milliseconds(0));
  EXPECT_EQ(UsualCodes(mock), usual) << slow;
}

TEST(SlowKafka, EndsEveryCallInItsTimeAndAnswersWhoeverWaits) {
  std::vector<std::future<void>> cases;
  for (const milliseconds answer : WithMore({milliseconds(500), milliseconds(4000)})) {
    cases.push_back(std::async(std::launch::async, [answer] { CallsMeet(answer); }));
  }
}

/// Later than the first repetition of a question; InquiryTest has the others.
class SlowStream : public KafkaSourceTest {
 public:
  void IsReadToItsEnd(milliseconds answer) {
    MakeTopic(1);
    Fill(0, 10);
    mock_.SetDelay(-1, answer);
    options_.session_timeout = seconds(45);
    options_.fence_margin = seconds(15);
    const auto source = Source();
    Worker worker(source.get());
    bool called_slow = false;
    const auto comes = [&](size_t records) {
      called_slow = called_slow || source->progress().trouble.find("slow") != std::string::npos;
      return worker.records() == records;
    };
    EXPECT_TRUE(WithinAnswers(answer, [&] { return comes(10); })) << source->progress().trouble;
    EXPECT_TRUE(called_slow || answer < seconds(1));
    Fill(0, 10);  // while it is being read
    EXPECT_TRUE(WithinAnswers(answer, [&] { return comes(20); })) << source->progress().trouble;
    mock_.SetDelay(-1, milliseconds(0));
    EXPECT_TRUE(WithinAnswers(answer, [&] { return Committed()[0] == 20; }));
    EXPECT_EQ(worker.rows(0), Numbers(20));
    source->Stop();
    const auto begin = clock_.MonotonicNow();
    EXPECT_TRUE(worker.Join().ok());
    EXPECT_LT(clock_.MonotonicNow() - begin, kSlack);
  }

 private:
  /// From connecting to the first message some fifteen answers come one after the other.
  static bool WithinAnswers(milliseconds answer, const std::function<bool()>& condition) {
    const auto deadline = steady_clock::now() + seconds(30) + 20 * answer;
    while (steady_clock::now() < deadline) {
      if (condition()) return true;
      std::this_thread::sleep_for(milliseconds(5));
    }
    return false;
  }
  void TestBody() override {}
};

TEST(SlowKafka, IsReadAndCalledSlow) {
  std::list<SlowStream> streams;  // made and ended by one thread: a fixture sets gtest's flags back
  std::vector<std::future<void>> cases;
  for (const milliseconds answer : WithMore({milliseconds(500), milliseconds(1500)})) {
    SlowStream& stream = streams.emplace_back();
    cases.push_back(std::async(std::launch::async, [&stream, answer] { stream.IsReadToItsEnd(answer); }));
  }
}

}  // namespace
}  // namespace fensi::consumer
