// Every call of a store against a gateway that takes its time for each answer. Cases wait side by side.
#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <thread>

#include "tests/store/hbase/every_call.h"
#include "tests/store/hbase/fake_gateway.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kSlack(10'000);  // a busy machine

struct Slowness {
  milliseconds answer;   // of the gateway, to each request
  milliseconds timeout;  // of the store's calls
};

constexpr milliseconds kUsual(60'000);

/// FENSI_TEST_SLOW_MS: one more, for who has the time.
std::vector<Slowness> AllSlowness() {
  std::vector<Slowness> all = {{milliseconds(500), kUsual},
                               {milliseconds(4'000), kUsual},
                               {milliseconds(500), milliseconds(100)},
                               {milliseconds(4'000), milliseconds(1'000)}};
  if (const char* more = std::getenv("FENSI_TEST_SLOW_MS")) {  // NOLINT(concurrency-mt-unsafe)
    all.push_back({milliseconds(std::atoi(more)), kUsual});
    all.push_back({milliseconds(std::atoi(more)), milliseconds(3'000)});
  }
  return all;
}

/// The longest call: is there such a table, is it enabled, disable it, remove it.
constexpr int kMostRequests = 4;

void MeetsSlowness(const Call& call, const Slowness& slow) {
  const std::string name = std::string(call.name) + ", answered after " + std::to_string(slow.answer.count()) + " ms: ";
  std::atomic<int> requests = 0;
  std::atomic<int64_t> answer_ms = slow.answer.count();
  const bool in_time = slow.answer < slow.timeout;
  std::atomic<bool> gave_up = in_time;
  FakeGateway gateway;
  gateway.handler().on_call = [&] {
    ++requests;
    std::this_thread::sleep_for(milliseconds(answer_ms));
    while (!gave_up) std::this_thread::sleep_for(milliseconds(1));  // however long the machine stood still
  };
  const auto store = gateway.Store(1, slow.timeout);
  const auto begin = steady_clock::now();
  const Status status = call.run(store.get());
  const auto took = std::chrono::duration_cast<milliseconds>(steady_clock::now() - begin);
  EXPECT_EQ(status.code(), in_time ? StatusCode::kOk : StatusCode::kUnavailable) << name << status.ToString();
  EXPECT_LT(took, in_time ? requests.load() * slow.answer + kSlack : slow.timeout + kSlack)
      << name << took.count() << " ms";
  EXPECT_LE(requests, kMostRequests) << name;

  answer_ms = 0;
  gave_up = true;
  const Status after = RunPatiently(call, store.get());
  EXPECT_TRUE(after.ok()) << name << after.ToString();
  if (std::string(call.name) != "Put") return;
  const std::multiset<std::string> rows = gateway.handler().Rows();
  for (const char* row : {"a", "b", "c"}) EXPECT_TRUE(rows.contains(row)) << name << row;
}

TEST(SlowGateway, EveryCallWaitsAsLongAsItMayAndSucceedsAfterwards) {
  const std::vector<Call> calls = EveryCall();
  std::vector<std::future<void>> cases;
  for (const Slowness& slow : AllSlowness()) {
    for (const Call& call : calls) {
      cases.push_back(std::async(std::launch::async, [&call, slow] { MeetsSlowness(call, slow); }));
    }
  }
}

}  // namespace
}  // namespace fensi::store
