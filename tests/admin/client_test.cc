// What is learned of servers that answer, that are not there, and that answer anything.
#include "admin/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "admin/admin_server.h"
#include "tests/admin/fixed_source.h"
#include "tests/admin/raw_client.h"
#include "tests/support/authority.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::admin {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::Not;

/// Takes one client and sends it some bytes, again and again if it is asked to; silent without any.
class Stranger {
 public:
  explicit Stranger(std::string says, bool endless = false) : says_(std::move(says)), endless_(endless) {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in here{.sin_family = AF_INET};
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof here;
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&here), size), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&here), &size);
    port_ = ntohs(here.sin_port);
    if (!says_.empty()) thread_ = std::thread([this] { Serve(); });
  }
  ~Stranger() {
    shutdown(listener_, SHUT_RDWR);
    if (thread_.joinable()) thread_.join();
    close(listener_);
  }

  Address address() const { return Loopback(port_); }

 private:
  void Serve() const {
    const int client = accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    char request[4096];
    (void)recv(client, request, sizeof request, 0);
    do {
      if (send(client, says_.data(), says_.size(), MSG_NOSIGNAL) < 0) break;
    } while (endless_);
    close(client);
  }

  const std::string says_;
  const bool endless_;
  int listener_ = -1;
  uint16_t port_ = 0;
  std::thread thread_;
};

Status FaultOf(const Address& address, const Question& question = {}) {
  return QueryAll({address}, question)[0].status();
}

TEST(ClientTest, HasTheAnswerOfEachInTheirOrder) {
  FixedSource one, other;
  other.status = "{\"format\":1,\"other\":true}\n";
  const auto server = Server::Start(&one, {.address = Loopback(0)});
  const auto second = Server::Start(&other, {.address = Loopback(0)});
  ASSERT_TRUE(server.ok() && second.ok());
  const auto answers = QueryAll({(*second)->address(), Loopback(1), (*server)->address()}, {});
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(*answers[0], other.status);
  EXPECT_EQ(answers[1].status().code(), StatusCode::kNotFound);
  EXPECT_EQ(*answers[2], one.status);
}

TEST(ClientTest, SendsItsTokenAndIsToldWhenItIsWrong) {
  FixedSource source;
  ServerOptions options{.address = Loopback(0)};
  options.answers.token = "right";
  const auto server = Server::Start(&source, options);
  ASSERT_TRUE(server.ok());
  EXPECT_TRUE(FaultOf((*server)->address(), {.token = "right"}).ok());
  EXPECT_EQ(FaultOf((*server)->address(), {.token = "wrong"}).code(), StatusCode::kPermission);
  EXPECT_THAT(FaultOf((*server)->address()).message(), HasSubstr("--admin_token_file"));
}

TEST(ClientTest, NobodyThereIsNoFault) {
  EXPECT_EQ(FaultOf(Loopback(1)).code(), StatusCode::kNotFound);
  EXPECT_EQ(FaultOf({Address::Kind::kUnix, "/nonexistent/fensi.sock", 0}).code(), StatusCode::kNotFound);
}

TEST(ClientTest, ManyThatAreSilentCostTheTimeOfOne) {
  std::vector<std::unique_ptr<Stranger>> silent;
  std::vector<Address> addresses;
  for (int i = 0; i < 20; ++i) {
    silent.push_back(std::make_unique<Stranger>(""));
    addresses.push_back(silent.back()->address());
  }
  const auto begin = steady_clock::now();
  for (const auto& answer : QueryAll(addresses, {.timeout = milliseconds(3'000)})) {
    EXPECT_EQ(answer.status().code(), StatusCode::kUnavailable);
    EXPECT_THAT(answer.status().message(), HasSubstr("within 3 s"));
  }
  EXPECT_LT(steady_clock::now() - begin, milliseconds(30'000)) << "one after the other they cost a minute";
}

TEST(ClientTest, WhoSpeaksNoHttpOrHasNoSuchPageIsNotOurs) {
  for (const char* says : {"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
                           "HTTP/1.1 302 Found\r\nLocation: http://elsewhere/\r\nContent-Length: 0\r\n\r\n"}) {
    const Stranger stranger(says);
    EXPECT_EQ(FaultOf(stranger.address()).code(), StatusCode::kConfiguration) << says;
  }
}

/// The token would be sent in plain text if the advice were wrong.
TEST(ClientTest, OnlyAServerThatAnswersWithoutTlsIsToBeAskedWithoutTls) {
  const Question question{.authorities = testing::Authority("ours").certificate()};
  for (const char* says : {"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n"}) {
    const Stranger plain(says);
    const Status fault = FaultOf(plain.address(), question);
    EXPECT_EQ(fault.code(), StatusCode::kConfiguration) << says;
    EXPECT_THAT(fault.message(), HasSubstr("leave out --daemon_ca_file"));
  }
  const Stranger full("\x16");  // the first byte of an answer of TLS, then the end
  const Status fault = FaultOf(full.address(), question);
  EXPECT_EQ(fault.code(), StatusCode::kUnavailable);
  EXPECT_THAT(fault.message(), HasSubstr("the daemon ended the TLS handshake"));
  EXPECT_THAT(fault.message(), Not(HasSubstr("--daemon_ca_file")));
}

TEST(ClientTest, AnAnswerThatIsCutIsNone) {
  const std::string whole = "HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"format\":1}\n";
  for (size_t size = 1; size < whole.size(); ++size) {
    const Stranger stranger(whole.substr(0, size));
    EXPECT_EQ(FaultOf(stranger.address()).code(), StatusCode::kUnavailable) << size;
  }
}

TEST(ClientTest, AnAnswerWithoutEndIsGivenUp) {
  const Stranger stranger("HTTP/1.1 200 OK\r\n\r\n" + std::string(1 << 20, 'x'), true);
  const MemoryGrowth growth;
  EXPECT_THAT(FaultOf(stranger.address(), {.timeout = milliseconds(60'000), .most_bytes = 8 << 20}).message(),
              HasSubstr("more than 8 MiB"));
  EXPECT_LT(growth.Kilobytes(), 64 << 10);
}

TEST(ClientTest, PartsOfChunksWithoutEndAreGivenUp) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", flood(1 << 20, 'x');
  for (const std::string& begin : {chunked + "5;" + flood, chunked + "0\r\nX: " + flood, chunked + flood}) {
    const Stranger stranger(begin, true);
    const MemoryGrowth growth;
    EXPECT_EQ(FaultOf(stranger.address(), {.timeout = milliseconds(60'000)}).code(), StatusCode::kConfiguration);
    EXPECT_LT(growth.Kilobytes(), 16 << 10);
  }
}

TEST(ClientTest, ALengthIsNotBelieved) {
  for (const char* length : {"100000000000000", "9223372036854775807", "18446744073709551615"}) {
    const Stranger stranger("HTTP/1.1 200 OK\r\nContent-Length: " + std::string(length) + "\r\n\r\n{");
    EXPECT_THAT(FaultOf(stranger.address(), {.timeout = milliseconds(60'000), .most_bytes = 8 << 20}).message(),
                HasSubstr("more than 8 MiB"))
        << length;
  }
}

TEST(ClientTest, AHeaderWithoutEndIsGivenUp) {
  const Stranger stranger("HTTP/1.1 200 OK\r\nX: " + std::string(1 << 20, 'x'), true);
  EXPECT_FALSE(FaultOf(stranger.address(), {.timeout = milliseconds(60'000)}).ok());
}

}  // namespace
}  // namespace fensi::admin
