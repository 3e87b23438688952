// Lack of memory on threads of a connection: the connection ends, and not the process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <string>

#include "hbase/wire/connection.h"
#include "tests/hbase/listener.h"
#include "tests/support/scarce_memory.h"

namespace {

constexpr std::size_t kLarge = std::size_t{64} << 20;
std::atomic<bool> lacks_memory{false};  // for what is large

}  // namespace

bool fensi::testing::LacksMemory(std::size_t bytes) { return lacks_memory && bytes >= kLarge; }

namespace fensi::hbase {
namespace {

class LackOfMemory : public ::testing::Test {
 protected:
  ~LackOfMemory() override { lacks_memory = false; }

  std::shared_ptr<Connection> ConnectBy(Handshake handshake) {
    return Connection::Open(loop_, {.host = "127.0.0.1", .port = server_.port(), .handshake = std::move(handshake)},
                            std::make_shared<ServerStats>());
  }
  void ExpectTheEnd(Connection* connection) {
    const Answer answer = told_.promise.get_future().get();
    EXPECT_EQ(answer.status.code(), StatusCode::kUnavailable) << answer.status.ToString();
    EXPECT_THAT(answer.status.message(), ::testing::HasSubstr("out of memory"));
    EXPECT_THAT(answer.status.message(), ::testing::HasSubstr(connection->Name()));
    EXPECT_TRUE(connection->closed());
  }

  std::shared_ptr<EventLoop> loop_ = EventLoop::Start().value();
  Listener server_;
  Told told_;
};

TEST_F(LackOfMemory, ForAnAnswerEndsItsConnection) {
  const auto connection = ConnectBy(SimpleHandshake());
  server_.Accept();
  connection->Send(connection->NewCallId(), "call", nullptr, told_.Done());
  lacks_memory = true;
  server_.Write({4, 0, 0, 0});  // kLarge, before any byte of the answer
  ExpectTheEnd(connection.get());
}

TEST_F(LackOfMemory, OfAHandshakeEndsItsConnection) {
  const auto connection =
      ConnectBy([](Socket, const std::string&, Deadline) -> Result<Greeted> { throw std::bad_alloc(); });
  connection->Send(connection->NewCallId(), "call", nullptr, told_.Done());
  ExpectTheEnd(connection.get());
}

}  // namespace
}  // namespace fensi::hbase
