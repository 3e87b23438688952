// The client by TLS, against a cluster inside the test: every call, and every cause of a failed handshake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "hbase/cluster.h"
#include "hbase/who_answers.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"
#include "tests/hbase/tls_server.h"

namespace fensi::hbase {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::Authority;
using ::testing::HasSubstr;

class Tls : public ::testing::Test {
 protected:
  static std::shared_ptr<TlsClientContexts> Files(const TlsClientFiles& files) {
    return std::make_shared<TlsClientContexts>([files] { return files; });
  }
  TlsClientFiles Trusting(const Authority& authority) const { return {.authorities = authority.certificate()}; }
  TlsClientFiles Showing(const Authority& authority) const {
    const testing::IssuedPems mine = authority.Issue("client");
    return {.authorities = ours_.certificate(), .certificates = mine.certificate, .key = mine.key};
  }
  static void Protect(FakeHBase* server, TlsServer tls) {
    server->greet = [tls = std::move(tls)](int socket) -> std::unique_ptr<Wire> {
      std::unique_ptr<Wire> wire = tls.Shake(socket);
      std::string preamble;
      if (wire == nullptr || !wire->Read(6, &preamble)) return nullptr;
      return wire;
    };
  }
  static std::shared_ptr<Cluster> Open(const FakeHBase& server, const TlsClientFiles& files) {
    ClusterOptions options = server.Options();
    options.security.tls = Files(files);
    return ClientOf(options);
  }
  static Status Ask(const FakeHBase& server, const TlsClientFiles& files) {
    return ReadRow(Open(server, files).get(), "a");
  }
  /// Of the first call to a server that shows this.
  Status FaultWith(const TlsServer& tls, const TlsClientFiles& files) const {
    FakeHBase server;
    Protect(&server, tls);
    return Ask(server, files);
  }

  const Authority ours_{"ours"}, strangers_{"strangers"};
};

TEST_F(Tls, CarriesEveryCallAndLargeOnes) {
  FakeHBase server({"m"});
  Protect(&server, {ours_.Issue("hbase"), ""});
  const auto client = Open(server, Trusting(ours_));
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(WriteRows(client.get(), {"a", "z"}).ok());
    std::string value;
    EXPECT_TRUE(ReadRow(client.get(), "z", &value).ok());
    EXPECT_EQ(value, "z");
    EXPECT_TRUE(client->Scan("t", {}, kGranted).ok());
    EXPECT_TRUE(client->admin(kGranted).Describe("t").ok());
    EXPECT_TRUE(ChangeRow(client.get(), "b" + std::to_string(round), "", "v").ok());
  }
  for (int round = 0; round < 3; ++round) {
    const std::string large(3 << 20, static_cast<char>('a' + round));
    EXPECT_TRUE(WriteValue(client.get(), "large", large).ok());
    std::string value;
    EXPECT_TRUE(ReadRow(client.get(), "large", &value).ok());
    EXPECT_TRUE(value == large);
  }
}

TEST_F(Tls, ACertificateOfAnotherAuthorityHostOrTimeIsRefused) {
  const TlsClientFiles files = Trusting(ours_);
  const struct {
    testing::IssuedPems shown;
    const char* says;
  } cases[] = {{strangers_.Issue("hbase"), "was signed by an unknown authority"},
               {ours_.Issue("hbase", 1, "DNS:other"), "is not for 127.0.0.1"},
               {ours_.Issue("hbase", -1), "expired"},
               {ours_.Issue("hbase", 2, "IP:127.0.0.1", 1), "not yet valid"}};
  for (const auto& one : cases) {
    const Status status = FaultWith({one.shown, ""}, files);
    EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(one.says));
    EXPECT_THAT(status.message(), HasSubstr("server 127.0.0.1:"));
  }
}

TEST_F(Tls, AServerThatDemandsACertificateTakesOnlyOneOfItsAuthority) {
  const TlsServer demanding{ours_.Issue("hbase"), ours_.certificate()};
  EXPECT_TRUE(FaultWith(demanding, Showing(ours_)).ok());
  const Status none = FaultWith(demanding, Trusting(ours_));
  EXPECT_EQ(none.code(), StatusCode::kPermission) << none.ToString();
  EXPECT_THAT(none.message(), HasSubstr("demands a certificate"));
  const Status wrong = FaultWith(demanding, Showing(strangers_));
  EXPECT_EQ(wrong.code(), StatusCode::kPermission) << wrong.ToString();
  EXPECT_THAT(wrong.message(), HasSubstr("refused the certificate"));
}

/// A region server of HBase answers a preamble that it does not know in plain.
TEST_F(Tls, AnAnswerThatIsPlainIsNamed) {
  FakeHBase plain;
  plain.greet = [](int socket) -> std::unique_ptr<Wire> {
    Wire wire(socket);
    wire.Send(std::string("\0\0\0\x05hello", 9));
    return nullptr;
  };
  const Status status = Ask(plain, Trusting(ours_));
  EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("does not speak TLS"));
}

TEST_F(Tls, APortWithItIsNamedToAClientWithoutIt) {
  FakeHBase server;
  Protect(&server, {ours_.Issue("hbase"), ""});
  const auto client = ClientOf(server.Options());
  const Status status = ReadRow(client.get(), "a");
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  EXPECT_EQ(WhoAnswers("127.0.0.1", server.port(), steady_clock::now() + std::chrono::seconds(20)), Speaks::kTls);
}

TEST_F(Tls, ASilentPortIsLeftInTime) {
  FakeHBase silent;
  silent.greet = [](int socket) -> std::unique_ptr<Wire> {
    Wire wire(socket);
    std::string bytes;
    wire.Read(1 << 20, &bytes);
    return nullptr;
  };
  ClusterOptions options = silent.Options();
  options.security.tls = Files(Trusting(ours_));
  options.connect_timeout = milliseconds(300);
  const auto begin = steady_clock::now();
  const Status status = ReadRow(ClientOf(options).get(), "a");
  EXPECT_LT(steady_clock::now() - begin, std::chrono::seconds(15));
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  EXPECT_THAT(status.message(),
              HasSubstr("TLS handshake: the server is silent. If the server has no TLS, write hbase:// in --store"));
}

TEST_F(Tls, ANewConnectionHasTheFilesOfNow) {
  FakeHBase server;
  Protect(&server, {ours_.Issue("hbase"), ""});
  TlsClientFiles now = Trusting(strangers_);
  ClusterOptions options = server.Options();
  options.security.tls = std::make_shared<TlsClientContexts>([&now] { return now; });
  const auto client = ClientOf(options);
  EXPECT_EQ(ReadRow(client.get(), "a").code(), StatusCode::kConfiguration);
  now = Trusting(ours_);
  EXPECT_TRUE(ReadRow(client.get(), "a").ok());
  const size_t connections = server.connections();
  now = Trusting(strangers_);
  EXPECT_TRUE(ReadRow(client.get(), "a").ok()) << "a connection stays as it began";
  EXPECT_EQ(server.connections(), connections);
}

/// A daemon waits for a certificate that is exchanged; only a lasting refusal ends it.
TEST_F(Tls, ARefusalAfterASuccessIsUnavailable) {
  FakeHBase server;
  Protect(&server, {ours_.Issue("hbase"), ""});
  TlsClientFiles now = Trusting(ours_);
  ClusterOptions options = server.Options();
  options.security.tls = std::make_shared<TlsClientContexts>([&now] { return now; });
  const auto client = ClientOf(options);
  EXPECT_TRUE(ReadRow(client.get(), "a").ok());
  now = Trusting(strangers_);
  const Status status = client->admin(kGranted).Describe("t").status();  // another service, so another connection
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("was signed by an unknown authority"));
}

/// By TLS 1.3 a server refuses a certificate when the handshake is over for the client.
TEST_F(Tls, ARefusalOfOurCertificateAfterASuccessIsUnavailable) {
  const TlsServer takes{ours_.Issue("hbase"), ours_.certificate()};
  const TlsServer refuses{ours_.Issue("hbase"), strangers_.certificate()};
  std::atomic<bool> turned = false;
  FakeHBase server;
  server.greet = [&](int socket) -> std::unique_ptr<Wire> {
    std::unique_ptr<Wire> wire = (turned ? refuses : takes).Shake(socket);
    std::string preamble;
    if (wire == nullptr || !wire->Read(6, &preamble)) return nullptr;
    return wire;
  };
  const auto client = Open(server, Showing(ours_));
  ASSERT_TRUE(ReadRow(client.get(), "a").ok());
  turned = true;
  const Status status = client->admin(kGranted).Describe("t").status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  EXPECT_EQ(Ask(server, Showing(ours_)).code(), StatusCode::kPermission) << "a client that nobody has accepted";
}

}  // namespace
}  // namespace fensi::hbase
