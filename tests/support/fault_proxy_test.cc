// The proxy does what tests rely on.
#include "tests/support/fault_proxy.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>

#include "tests/support/loopback.h"

namespace fensi::testing {
namespace {

using Way = FaultProxy::Way;

/// Answers every connection with what it says, until it is destroyed.
class Echo {
 public:
  Echo() {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~Echo() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  int port() const { return port_; }

 private:
  void Serve() {
    for (int one = ::accept(listener_, nullptr, nullptr); one >= 0; one = ::accept(listener_, nullptr, nullptr)) {
      char buffer[4096];
      for (ssize_t size = ::recv(one, buffer, sizeof buffer, 0); size > 0;
           size = ::recv(one, buffer, sizeof buffer, 0)) {
        ::send(one, buffer, static_cast<size_t>(size), MSG_NOSIGNAL);
      }
      ::close(one);
    }
  }
  int listener_ = -1;
  int port_ = 0;
  std::thread thread_;
};

class FaultProxyTest : public ::testing::Test {
 protected:
  FaultProxyTest() {
    client_ = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = Loopback(proxy_.port());
    EXPECT_EQ(::connect(client_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  ~FaultProxyTest() override { ::close(client_); }

  void Say(const std::string& text) { ::send(client_, text.data(), text.size(), MSG_NOSIGNAL); }
  /// Up to `size` bytes; less when the connection ends before.
  std::string Hear(size_t size) {
    std::string text(size, '\0');
    size_t heard = 0;
    while (heard < size) {
      const ssize_t read = ::recv(client_, text.data() + heard, size - heard, 0);
      if (read <= 0) break;
      heard += static_cast<size_t>(read);
    }
    text.resize(heard);
    return text;
  }
  bool HearsNothing() {
    char byte = 0;
    return ::recv(client_, &byte, 1, MSG_DONTWAIT) < 0;
  }

  Echo echo_;
  FaultProxy proxy_{echo_.port()};
  int client_ = -1;
};

TEST_F(FaultProxyTest, PassesOnWhatComes) {
  Say("hello");
  EXPECT_EQ(Hear(5), "hello");
  EXPECT_EQ(proxy_.traffic(Way::kRequests).passed, 5);
  while (proxy_.traffic(Way::kReplies).passed < 5) std::this_thread::yield();  // counted after it is sent
}

TEST_F(FaultProxyTest, CutsAfterTheBytesThatWereNamed) {
  proxy_.CutAfter(Way::kRequests, 3);
  Say("hello");
  EXPECT_LE(Hear(5).size(), 3u);  // the answer to the three may be faster than the cut
  EXPECT_EQ(proxy_.traffic(Way::kRequests).passed, 3);
}

TEST_F(FaultProxyTest, CutsAReplyAfterTheBytesThatWereNamed) {
  proxy_.CutAfter(Way::kReplies, 2);
  Say("hello");
  EXPECT_EQ(Hear(5), "he");
}

TEST_F(FaultProxyTest, HoldsAReplyUntilItIsReleased) {
  proxy_.Hold(Way::kReplies);
  Say("hello");
  while (proxy_.traffic(Way::kReplies).held == 0) std::this_thread::yield();
  EXPECT_TRUE(HearsNothing());
  proxy_.Release(Way::kReplies);
  EXPECT_EQ(Hear(5), "hello");
}

TEST_F(FaultProxyTest, ASlowAndSlicedConnectionLosesNothing) {
  proxy_.Slice(Way::kRequests, 7);
  proxy_.Throttle(Way::kReplies, 100'000);
  proxy_.Delay(Way::kReplies, std::chrono::milliseconds(1));
  const std::string text(2000, 'x');
  Say(text);
  EXPECT_EQ(Hear(text.size()), text);
}

TEST_F(FaultProxyTest, AResetEndsTheConnection) {
  Say("a");
  ASSERT_EQ(Hear(1), "a");
  proxy_.Reset();
  EXPECT_EQ(Hear(1), "");
}

}  // namespace
}  // namespace fensi::testing
