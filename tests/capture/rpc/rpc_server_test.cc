#include "capture/rpc/rpc_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>

#include "tests/capture/fake_region_server.h"
#include "tests/support/peak_memory.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;

/// Keeps calls until the test takes them.
class Inbox : public CallHandler {
 public:
  void Handle(std::shared_ptr<Call> call) override {
    const std::lock_guard lock(mu_);
    calls_.push_back(std::move(call));
    changed_.notify_all();
  }
  std::shared_ptr<Call> Take() {
    std::unique_lock lock(mu_);
    EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(60), [this] { return !calls_.empty(); }));
    if (calls_.empty()) return nullptr;
    std::shared_ptr<Call> call = std::move(calls_.front());
    calls_.pop_front();
    return call;
  }
  size_t size() {
    const std::lock_guard lock(mu_);
    return calls_.size();
  }

 private:
  std::mutex mu_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Call>> calls_;
};

class RpcServerTest : public ::testing::Test {
 protected:
  RpcServerOptions Options() { return {.endpoints = {{"127.0.0.1", 0}}, .max_frame_bytes = 1 << 20}; }

  void Start(const RpcServerOptions& options) {
    auto server = RpcServer::Create(options, &inbox_, [this](Severity, const std::string& text) {
      const std::lock_guard lock(mu_);
      notices_ += text + "\n";
    });
    ASSERT_TRUE(server.ok()) << server.status().ToString();
    server_ = std::move(*server);
    server_->Start();
  }
  void Start() { Start(Options()); }
  uint16_t port() const { return server_->ports().front(); }
  std::string notices() {
    const std::lock_guard lock(mu_);
    return notices_;
  }

  Inbox inbox_;
  std::mutex mu_;
  std::string notices_;
  std::unique_ptr<RpcServer> server_;
};

std::vector<Entry> OneEntry(const std::string& row = "a") { return {Entry{.cells = {{row, Put("x", "1")}}}}; }

TEST_F(RpcServerTest, HandsOutACallAndSendsItsAnswer) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.SendCall(0, OneEntry());
  const auto call = inbox_.Take();
  EXPECT_EQ(call->request(), RequestBytes(OneEntry()));
  EXPECT_EQ(call->cells(), CellBlock(OneEntry()));
  EXPECT_TRUE(client.IsSilentFor(100));
  call->Answer(Status());
  const auto reply = client.Receive();
  EXPECT_EQ(reply.call_id, 0u);
  EXPECT_FALSE(reply.failed);
}

TEST_F(RpcServerTest, TellsTheReasonOfAFailureAndGoesOn) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.SendCall(1, OneEntry());
  inbox_.Take()->Answer(Status(StatusCode::kUnavailable, "Kafka is away"));
  const auto reply = client.Receive();
  EXPECT_TRUE(reply.failed);
  EXPECT_THAT(reply.text, HasSubstr("java.io.IOException: fensi capture: Kafka is away"));
  client.SendCall(2, OneEntry());
  inbox_.Take()->Answer(Status());
  EXPECT_EQ(client.Receive().call_id, 2u);
}

TEST_F(RpcServerTest, AnswersCallsOfOneConnectionInAnyOrder) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.SendCall(1, OneEntry());
  client.SendCall(2, OneEntry());
  const auto first = inbox_.Take();
  const auto second = inbox_.Take();
  second->Answer(Status());
  EXPECT_EQ(client.Receive().call_id, 2u);
  first->Answer(Status());
  EXPECT_EQ(client.Receive().call_id, 1u);
}

TEST_F(RpcServerTest, ServesSeveralConnectionsAndPorts) {
  RpcServerOptions options = Options();
  options.endpoints.push_back({"127.0.0.1", 0});
  Start(options);
  FakeRegionServer one(server_->ports()[0]);
  FakeRegionServer two(server_->ports()[1]);
  one.Greet();
  two.Greet();
  two.SendCall(7, OneEntry());
  inbox_.Take()->Answer(Status());
  EXPECT_EQ(two.Receive().call_id, 7u);
  one.SendCall(8, OneEntry());
  inbox_.Take()->Answer(Status());
  EXPECT_EQ(one.Receive().call_id, 8u);
  EXPECT_EQ(server_->connections(), 2);
}

TEST_F(RpcServerTest, AnswersWithAnExceptionBeforeTheCallerGivesUp) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.Send(CallBytes(1, RequestBytes(OneEntry()), CellBlock(OneEntry()), "ReplicateWALEntry", 500));
  const auto call = inbox_.Take();
  const auto reply = client.Receive();
  EXPECT_TRUE(reply.failed);
  EXPECT_THAT(reply.text, HasSubstr("Kafka has not acknowledged everything in time"));
  EXPECT_TRUE(call->answered());
  call->Answer(Status());  // too late, and without effect
  EXPECT_TRUE(client.IsSilentFor(100));
}

TEST_F(RpcServerTest, AnUnknownMethodIsAnException) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.Send(CallBytes(4, "", "", "GetServerInfo"));
  const auto reply = client.Receive();
  EXPECT_EQ(reply.call_id, 4u);
  EXPECT_THAT(reply.text, HasSubstr("the method GetServerInfo is not here"));
}

TEST_F(RpcServerTest, ACallDroppedWithoutAnswerHasFailed) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.SendCall(1, OneEntry());
  inbox_.Take().reset();
  EXPECT_TRUE(client.Receive().failed);
}

TEST_F(RpcServerTest, WhoIsNoRegionServerIsClosedAndHarmsNobody) {
  Start();
  FakeRegionServer scanner(port());
  scanner.Send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(scanner.Receive().closed);
  { const FakeRegionServer gone(port()); }
  FakeRegionServer kerberos(port());
  kerberos.Send(FromHex("484261730051"));
  EXPECT_THAT(kerberos.Receive().text, HasSubstr("Kerberos"));
  EXPECT_TRUE(kerberos.Receive().closed);
  EXPECT_THAT(notices(), HasSubstr("speaks SIMPLE only"));
  FakeRegionServer good(port());
  good.Greet();
  good.SendCall(1, OneEntry());
  inbox_.Take()->Answer(Status());
  EXPECT_FALSE(good.Receive().failed);
}

TEST_F(RpcServerTest, AFrameAboveTheLimitIsRefusedBeforeItIsRead) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.Send(BigEndian(200'000'000, 4) + "x");
  const auto reply = client.Receive();
  EXPECT_THAT(reply.text, HasSubstr("a frame of 200000000 bytes is above the limit of 1048576"));
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(RpcServerTest, AHeaderAboveTheLimitIsRefused) {
  Start();
  FakeRegionServer client(port());
  client.Send(PreambleBytes() + BigEndian(200'000'000, 4));
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(RpcServerTest, AHalfFrameIsGivenUpAfterAWhile) {
  RpcServerOptions options = Options();
  options.max_frame_bytes = size_t{256} << 20;
  options.stall_timeout = milliseconds(100);
  Start(options);
  FakeRegionServer client(port());
  client.Greet();
  client.Send(BigEndian(200'000'000, 4) + "half");
  EXPECT_TRUE(client.Receive().closed);
  EXPECT_THAT(notices(), HasSubstr("did not send the rest of a frame in time"));
}

TEST_F(RpcServerTest, WhoSaysNothingIsClosed) {
  RpcServerOptions options = Options();
  options.handshake_timeout = milliseconds(100);
  Start(options);
  FakeRegionServer client(port());
  client.Send(PreambleBytes());
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(RpcServerTest, ABadFrameClosesTheConnectionWithTheReason) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.Send(BigEndian(4, 4) + "\xff\xff\xff\xff");
  EXPECT_THAT(client.Receive().text, HasSubstr("the frame has no request header"));
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(RpcServerTest, FramesWaitForRoom) {
  RpcServerOptions options = Options();
  options.max_bytes = 1000;
  Start(options);
  FakeRegionServer one(port());
  FakeRegionServer two(port());
  one.Greet();
  two.Greet();
  one.SendCall(1, OneEntry(std::string(2000, 'r')));  // larger than all room: alone
  const auto first = inbox_.Take();
  two.SendCall(2, OneEntry(std::string(2000, 'r')));
  EXPECT_TRUE(two.IsSilentFor(100));
  first->Answer(Status());
  EXPECT_TRUE(two.IsSilentFor(100)) << "whoever works on the first still has its bytes";
  EXPECT_EQ(inbox_.size(), 0u);
  first->ReleaseBytes();
  inbox_.Take()->Answer(Status());
  EXPECT_EQ(two.Receive().call_id, 2u);
}

TEST_F(RpcServerTest, LengthsAndHalfFramesTakeNoRoomFromOthers) {
  RpcServerOptions options = Options();
  options.max_bytes = 3 << 20;
  options.max_frame_bytes = 1 << 20;
  Start(options);
  std::vector<std::unique_ptr<FakeRegionServer>> hostile;
  for (int i = 0; i < 40; ++i) {
    hostile.push_back(std::make_unique<FakeRegionServer>(port()));
    hostile.back()->Greet();
    hostile.back()->Send(BigEndian(1'000'000, 4) + std::string(20'000, 'x'));
  }
  FakeRegionServer good(port());
  good.Greet();
  for (uint32_t id = 1; id < 4; ++id) {
    good.SendCall(id, OneEntry(std::string(30'000, 'r')));
    inbox_.Take()->Answer(Status());
    EXPECT_EQ(good.Receive().call_id, id);
  }
}

TEST_F(RpcServerTest, FramesThatAreReadAtTheSameTimeAllComeToTheirEnd) {
  RpcServerOptions options = Options();
  options.max_bytes = 1000;  // less than any of them
  Start(options);
  const std::vector<Entry> entries = OneEntry(std::string(30'000, 'r'));
  std::vector<std::unique_ptr<FakeRegionServer>> clients;
  const std::string call = CallBytes(1, entries);
  for (int i = 0; i < 5; ++i) {
    clients.push_back(std::make_unique<FakeRegionServer>(port()));
    clients.back()->Greet();
    clients.back()->Send(call.substr(0, call.size() / 2));
  }
  for (const auto& client : clients) client->Send(call.substr(call.size() / 2));
  for (size_t i = 0; i < clients.size(); ++i) inbox_.Take()->Answer(Status());
  for (const auto& client : clients) EXPECT_EQ(client->Receive().call_id, 1u);
}

TEST_F(RpcServerTest, WhoWaitsTooLongForRoomIsClosedWithTheReason) {
  RpcServerOptions options = Options();
  options.max_bytes = 1000;
  options.room_timeout = milliseconds(100);
  Start(options);
  FakeRegionServer one(port());
  FakeRegionServer two(port());
  one.Greet();
  two.Greet();
  one.SendCall(1, OneEntry(std::string(2000, 'r')));
  const auto first = inbox_.Take();
  two.SendCall(2, OneEntry(std::string(2000, 'r')));
  EXPECT_TRUE(two.Receive().closed);
  EXPECT_THAT(notices(), HasSubstr("--calls_mb is in use by others"));
}

TEST_F(RpcServerTest, TheTimeUntilACallHasArrivedCounts) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  const std::string call = CallBytes(1, RequestBytes(OneEntry()), CellBlock(OneEntry()), "ReplicateWALEntry", 100);
  client.Send(call.substr(0, 20));
  EXPECT_TRUE(client.IsSilentFor(150));
  client.Send(call.substr(20));
  const auto reply = client.Receive();
  EXPECT_TRUE(reply.failed);
  EXPECT_THAT(reply.text, HasSubstr("nothing is left of its timeout"));
  EXPECT_EQ(inbox_.size(), 0u);
}

TEST_F(RpcServerTest, RepliesThatAreNotTakenStopTheReading) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  const std::string call = CallBytes(1, "", "", std::string(60'000, 'm'));  // its reply has as many bytes
  const MemoryGrowth growth;
  size_t sent = 0;
  while (sent < 5'000 && client.SendWithin(call, milliseconds(500))) ++sent;
  EXPECT_LT(sent, 5'000u) << "300 MB of replies would be held";
  EXPECT_LT(growth.Kilobytes(), 64 * 1024);
}

TEST_F(RpcServerTest, AConnectionThatIsIdleIsClosedAndOneThatWaitsForAnAnswerIsNot) {
  RpcServerOptions options = Options();
  options.idle_timeout = milliseconds(200);
  Start(options);
  FakeRegionServer idle(port());
  FakeRegionServer waiting(port());
  idle.Greet();
  waiting.Greet();
  waiting.SendCall(1, OneEntry());
  const auto call = inbox_.Take();
  EXPECT_TRUE(idle.Receive().closed);
  EXPECT_TRUE(waiting.IsSilentFor(300));
  call->Answer(Status());
  EXPECT_EQ(waiting.Receive().call_id, 1u);
}

TEST_F(RpcServerTest, WhoIsNotAllowedIsRefusedAndCounted) {
  RpcServerOptions options = Options();
  options.allow_from = {"10.0.0.0/8", "127.0.0.2"};
  Start(options);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(FakeRegionServer(port()).Receive().closed);
  EXPECT_EQ(server_->refused_peers(), 3);
  EXPECT_THAT(notices(), HasSubstr("a connection of 127.0.0.1 was refused: --allow_from does not name it"));
  EXPECT_EQ(std::count(notices_.begin(), notices_.end(), '\n'), 1) << "once a minute";
}

TEST_F(RpcServerTest, AFloodOfStrangersWritesFewLines) {
  Start();
  for (int i = 0; i < 200; ++i) {
    FakeRegionServer kerberos(port());
    kerberos.Send(FromHex("484261730051"));
    EXPECT_FALSE(kerberos.Receive().text.empty());
  }
  EXPECT_LE(std::count(notices_.begin(), notices_.end(), '\n'), 30);
}

TEST_F(RpcServerTest, HalfFramesOfManyCostNoMoreThanTheLimits) {
  RpcServerOptions options = Options();
  options.max_bytes = 32 << 20;
  options.max_frame_bytes = 16 << 20;
  Start(options);
  std::vector<std::unique_ptr<FakeRegionServer>> hostile;
  const MemoryGrowth growth;
  for (int i = 0; i < 10; ++i) {
    hostile.push_back(std::make_unique<FakeRegionServer>(port()));
    hostile.back()->Greet();
    (void)hostile.back()->SendWithin(BigEndian(16'000'000, 4) + std::string(15'000'000, 'x'), milliseconds(100));
  }
  EXPECT_LT(growth.Kilobytes(), (32 + 15 + 64) * 1024) << "the limit, what the test sends, and 64 MiB";
}

TEST_F(RpcServerTest, RoomOfABrokenConnectionIsGivenBack) {
  RpcServerOptions options = Options();
  options.max_bytes = 1000;
  Start(options);
  std::shared_ptr<Call> orphan;
  {
    FakeRegionServer one(port());
    one.Greet();
    one.SendCall(1, OneEntry(std::string(2000, 'r')));
    orphan = inbox_.Take();
  }
  FakeRegionServer two(port());
  two.Greet();
  two.SendCall(2, OneEntry());
  EXPECT_TRUE(two.IsSilentFor(100));
  EXPECT_TRUE(orphan->answered());
  orphan.reset();
  inbox_.Take()->Answer(Status());
  EXPECT_EQ(two.Receive().call_id, 2u);
}

TEST_F(RpcServerTest, StopWaitsForWhatIsInHand) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.SendCall(1, OneEntry());
  const auto call = inbox_.Take();
  std::thread later([&] { call->Answer(Status()); });
  server_->Stop(std::chrono::seconds(60));
  later.join();
  EXPECT_EQ(client.Receive().call_id, 1u);
  EXPECT_TRUE(client.Receive().closed);
}

TEST_F(RpcServerTest, StopGivesUpWhatTakesTooLong) {
  Start();
  FakeRegionServer client(port());
  client.Greet();
  client.SendCall(1, OneEntry());
  const auto call = inbox_.Take();
  server_->Stop(milliseconds(50));
  EXPECT_TRUE(client.Receive().closed);
  EXPECT_TRUE(call->answered());
}

TEST_F(RpcServerTest, APortInUseIsNamed) {
  Start();
  RpcServerOptions options = Options();
  options.endpoints[0].port = port();
  const auto second = RpcServer::Create(options, &inbox_, [](Severity, const std::string&) {});
  EXPECT_EQ(second.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(second.status().message(), HasSubstr("cannot listen on 127.0.0.1:" + std::to_string(port())));
}

}  // namespace
}  // namespace fensi::capture
