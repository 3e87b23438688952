// Lack of memory, one allocation after the other, in every thread but the test's own.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <thread>

#include "capture/publish/publisher.h"
#include "tests/capture/rpc/server_fixture.h"
#include "tests/consumer/kafka/mock_cluster.h"
#include "tests/support/scarce_memory.h"

namespace {

thread_local bool has_memory = false;
std::atomic<int> allocations_left{-1};  // then so many fail
std::atomic<int> failures_left{0};

/// The n-th allocation from now fails, and those behind it.
void Fail(int n, int failures) {
  allocations_left = n;
  failures_left = failures;
}

}  // namespace

bool fensi::testing::LacksMemory(std::size_t /*bytes*/) {
  if (has_memory || failures_left <= 0) return false;
  return --allocations_left < 0 && failures_left-- > 0;
}

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

constexpr int kPlaces = 150;  // that lack memory, one after the other: more than a call has

class ServerWithoutMemoryTest : public RpcServerTest {
 protected:
  void SetUp() override { has_memory = true; }
  /// Whatever becomes of it.
  void TryToCall() {
    FakeRegionServer client(port());
    client.Greet();
    client.SendCall(1, OneEntry(std::string(100, 'r')));
    (void)client.IsSilentFor(20);
    while (inbox_.size() > 0) inbox_.Take()->Answer(Status());
    (void)client.IsSilentFor(20);
  }
  void ExpectServed() {
    FakeRegionServer good(port());
    good.Greet();
    good.SendCall(1, OneEntry());
    const auto call = inbox_.Take();
    ASSERT_NE(call, nullptr);
    call->Answer(Status());
    ASSERT_FALSE(good.Receive().closed);
  }
};

TEST_F(ServerWithoutMemoryTest, HearsTheNextCallWhereverItFailed) {
  RpcServerOptions options = Options();
  options.handshake_timeout = options.stall_timeout = options.idle_timeout = milliseconds(300);
  options.max_bytes = options.max_frame_bytes + 1;  // for one frame at a time: room that is lost is missed at once
  Start(options);
  ExpectServed();
  for (int place = 0; place < kPlaces; ++place) {
    Fail(place, 3);
    TryToCall();
    Fail(0, 0);
    ASSERT_NO_FATAL_FAILURE(ExpectServed()) << "after allocation " << place;
  }
  for (int wait = 0; wait < 100 && server_->connections() > 0; ++wait) {
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_EQ(server_->connections(), 0) << "no connection is left behind";
  server_->Stop(std::chrono::seconds(60));
}

TEST_F(ServerWithoutMemoryTest, StopsWhereverItFailed) {
  constexpr int kPlacesOfAStop = 10;
  for (int place = 0; place < kPlacesOfAStop; ++place) {
    Start();
    FakeRegionServer client(port());
    client.Greet();
    client.SendCall(1, OneEntry());
    const auto call = inbox_.Take();
    Fail(place, 3);
    server_->Stop(milliseconds(50));
    Fail(0, 0);
    EXPECT_TRUE(client.Receive().closed) << "after allocation " << place;
  }
}

TEST(PublisherWithoutMemory, AnswersEveryCallAndAcknowledgesOnlyWhatIsWritten) {
  has_memory = true;
  consumer::MockCluster mock;
  mock.CreateTopic("follows", 1);
  PublisherOptions options;
  options.kafka.producer.cluster = mock.cluster();
  options.kafka.producer.linger = milliseconds(0);
  options.topics = {{"guanzhu", "follows"}};
  options.dead_letter_topic = "follows";
  auto publisher = Publisher::Create(
      options, [](const Notice&) {}, SystemClock());
  ASSERT_TRUE(publisher.ok());
  size_t acknowledged = 0;
  for (int place = 0; place < kPlaces; ++place) {
    const std::vector<Entry> entries = {{.cells = {{"r", Put("from", "b")}}}};
    const std::string request = RequestBytes(entries), cells = CellBlock(entries);
    std::atomic<int> answer = 0;
    const auto memory = std::make_shared<const std::string>(request + cells);
    const std::string_view bytes = *memory;
    auto call =
        std::make_shared<Call>(memory, bytes.substr(0, request.size()), bytes.substr(request.size()), "",
                               milliseconds(60'000), [&](const Status& status) { answer = status.ok() ? 1 : 2; });
    (*publisher)->Handle(std::move(call));
    Fail(place, 3);
    for (int wait = 0; wait < 10'000 && answer == 0; ++wait) std::this_thread::sleep_for(milliseconds(1));
    Fail(0, 0);
    ASSERT_NE(answer, 0) << "after allocation " << place;
    acknowledged += answer == 1 ? 1 : 0;
  }
  EXPECT_GT(acknowledged, 0u);
  EXPECT_GE(mock.ReadAll("follows").size(), acknowledged);
}

}  // namespace
}  // namespace fensi::capture
