// One connection: which calls are sent, and when it is closed for all of them.
#include "hbase/wire/connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "hbase/locate/locator.h"
#include "hbase/wire/answer_queue.h"
#include "hbase/wire/connections.h"
#include "proto/hbase_client.pb.h"
#include "tests/hbase/fake_hbase.h"
#include "tests/hbase/listener.h"

namespace fensi::hbase {
namespace {

using std::chrono::milliseconds;

class HalfSentCall : public ::testing::Test {
 protected:
  /// More than the buffers of both sockets take.
  static constexpr size_t kBytes = 64 << 20;

  void SetUp() override {
    connection_ =
        Connection::Open(loop_, {.host = "127.0.0.1", .port = server_.port(), .handshake = SimpleHandshake()}, stats_);
    server_.Accept();
    id_ = connection_->NewCallId();
    connection_->Send(id_, std::string(kBytes, 'a'), nullptr, first_.Done());
    while (stats_->counts().calls == 0) std::this_thread::sleep_for(milliseconds(1));
    connection_->Send(connection_->NewCallId(), std::string(10, 'b'), &permission_, second_.Done());
  }

  std::shared_ptr<EventLoop> loop_ = EventLoop::Start().value();
  std::shared_ptr<ServerStats> stats_ = std::make_shared<ServerStats>();
  Listener server_;
  std::atomic<bool> lost_ = false;
  const Connection::Permission permission_ = [this] { return lost_ ? Status(StatusCode::kFenced, "lost") : Status(); };
  Told first_, second_;
  std::shared_ptr<Connection> connection_;
  uint32_t id_ = 0;
};

TEST_F(HalfSentCall, LetsTheNextAskItsPermissionWhenItIsSent) {
  lost_ = true;
  std::string came;
  std::thread reader([&] { came = server_.ReadToTheEnd(); });
  const Answer answer = second_.promise.get_future().get();
  EXPECT_EQ(answer.status.code(), StatusCode::kFenced);
  EXPECT_TRUE(answer.not_permitted);
  EXPECT_FALSE(answer.may_be_done);
  connection_->Close(Status(StatusCode::kCancelled, "the end"));
  reader.join();
  EXPECT_TRUE(came.ends_with(std::string(1'000, 'a')));
  EXPECT_EQ(stats_->counts().waiting, 0);
}

TEST_F(HalfSentCall, ThatIsCancelledNeverComesWhole) {
  const Connection::Cancelled cancelled = connection_->Cancel(id_);
  EXPECT_TRUE(cancelled.sent);
  EXPECT_TRUE(connection_->closed());
  EXPECT_FALSE(second_.promise.get_future().get().may_be_done);
  EXPECT_LT(server_.ReadToTheEnd().size(), kBytes);
}

/// A call that is silent, beside one that is answered or not, is given up. True: its connection is open.
bool StaysOpen(bool answers_others, Effect effect) {
  FakeHBase server;
  server.react = [](const std::string& method, const std::string&) {
    return Reaction{.kind = method == "GetActiveMaster" ? Reaction::Kind::kSilence : Reaction::Kind::kAnswer};
  };
  const auto connections = Connections::Start({.user = "tester"}).value();
  const auto connection = connections->To("127.0.0.1", server.port(), "ClientMetaService");
  const CallScope scope;
  EXPECT_TRUE(CallAndWait(connection, "GetClusterId", proto::hbase::EmptyRequest(), scope)->status.ok());
  AnswerQueue queue(scope);
  const uint32_t id = connection->NewCallId();
  queue.Send(connection, id, BuildCall({id, "GetActiveMaster"}, proto::hbase::EmptyRequest()), 0, milliseconds(50),
             effect);
  if (answers_others) {
    EXPECT_TRUE(CallAndWait(connection, "GetClusterId", proto::hbase::EmptyRequest(), scope)->status.ok());
  }
  const auto late = queue.Next();
  EXPECT_EQ((*late)->answer.status.code(), StatusCode::kUnavailable);
  EXPECT_TRUE((*late)->answer.may_be_done);
  return !connection->closed();
}

TEST(LateCall, EndsTheConnectionOfASilentServer) {
  EXPECT_FALSE(StaysOpen(false, Effect::kNone));
  EXPECT_TRUE(StaysOpen(true, Effect::kNone));
}

/// The server counts the time of a call from its arrival, and so could start the change after ours.
TEST(LateCall, ThatChangesRowsEndsItsConnection) { EXPECT_FALSE(StaysOpen(true, Effect::kChanges)); }

/// A registry that needs no server.
class OnePlace final : public Registry {
 public:
  explicit OnePlace(int port) : at_{"127.0.0.1", port} {}
  Result<std::string> ClusterId(const CallScope&) override { return std::string("c"); }
  Result<ServerAddress> ActiveMaster(const CallScope&) override { return at_; }
  Result<ServerAddress> MetaServer(const CallScope&) override { return at_; }
  std::string Name() const override { return "one"; }

 private:
  const ServerAddress at_;
};

TEST(Master, WhoseCertificateIsWrongIsAnErrorOfConfiguration) {
  FakeHBase server;
  Connections::Options options{.user = "tester"};
  options.handshake = [](const std::string&) -> Handshake {
    return [](Socket, const std::string&, Deadline) -> Result<Greeted> {
      return Status(StatusCode::kConfiguration, "unknown authority");
    };
  };
  const auto connections = Connections::Start(options).value();
  OnePlace registry(server.port());
  Locator locator(&registry, connections.get(), std::chrono::seconds(10));
  const CallContext context{connections.get(), &locator, {}, milliseconds(200)};
  EXPECT_EQ(Admin(context).TableNames().status().code(), StatusCode::kConfiguration);
}

TEST(WornConnection, IsFollowedByAnotherOne) {
  FakeHBase server;
  Connections::Options options{.user = "tester"};
  options.most_calls = 2;
  const auto connections = Connections::Start(options).value();
  const auto first = connections->To("127.0.0.1", server.port(), "ClientMetaService");
  for (int call = 0; call < 2; ++call) {
    EXPECT_EQ(connections->To("127.0.0.1", server.port(), "ClientMetaService"), first);
    EXPECT_TRUE(CallAndWait(first, "GetClusterId", proto::hbase::EmptyRequest(), {}).ok());
  }
  EXPECT_NE(connections->To("127.0.0.1", server.port(), "ClientMetaService"), first);
  EXPECT_TRUE(CallAndWait(first, "GetClusterId", proto::hbase::EmptyRequest(), {}).ok()) << "its calls go on";
}

TEST(DeadServer, IsForgottenForAllItsRegions) {
  FakeHBase server({"m"});
  const auto connections = Connections::Start({.user = "tester"}).value();
  const auto registry = MakeRpcRegistry({{"127.0.0.1", server.port()}}, connections.get());
  for (const bool alive : {true, false}) {
    if (!alive) server.SetLocation("127.0.0.1", 1, 2);  // nobody is there
    Locator locator(registry.get(), connections.get(), std::chrono::seconds(10));
    const LocationPtr first = locator.Locate("t", "a", {}).value();
    ASSERT_TRUE(locator.Locate("t", "z", {}).ok());
    if (alive) {
      const auto connection = connections->To(first->server.host, first->server.port, "ClientService");
      ASSERT_TRUE(CallAndWait(connection, "GetActiveMaster", proto::hbase::EmptyRequest(), {}).ok());
    }
    locator.Disconnected(first);
    EXPECT_EQ(locator.Known("t", "a"), nullptr);
    EXPECT_EQ(locator.Known("t", "z") != nullptr, alive);
  }
}

}  // namespace
}  // namespace fensi::hbase
