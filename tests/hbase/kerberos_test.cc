// The client by Kerberos, with the realm that tests/support/kerberos_realm.py has made around this program: each
// protection × each way in which answers come, and every cause of a failed login.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "hbase/cluster.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"
#include "tests/hbase/kerberos_server.h"
#include "tests/hbase/tls_server.h"
#include "tests/support/environment_variable.h"

namespace fensi::hbase {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::EnvironmentVariable;
using ::testing::HasSubstr;
using Style = KerberosServer::Style;

constexpr char kClient[] = "fensi@FENSI.TEST";

class KerberosTest : public ::testing::Test {
 protected:
  KerberosTest() {
    server_.greet = kerberos_.Greeting();
    server_.own_host = "localhost";
    server_.SetLocation("localhost", server_.port(), 1);
  }

  ClusterOptions Options(Qop qop) const {
    ClusterOptions options = server_.Options();
    options.security.kerberos = KerberosLogin{.region_servers = "hbase", .masters = {}, .qop = qop};
    return options;
  }
  std::shared_ptr<Cluster> Open(Qop qop = Qop::kAuthConf) const { return ClientOf(Options(qop)); }
  static Status Ask(const ClusterOptions& options) { return ReadRow(ClientOf(options).get(), "a"); }
  Status Ask(Qop qop = Qop::kAuthConf) const { return Ask(Options(qop)); }

  KerberosServer kerberos_;
  FakeHBase server_{{"m"}};
};

class KerberosOf : public KerberosTest, public ::testing::WithParamInterface<Qop> {};

/// Writes, reads and scans so that a byte that is lost or wrong shows.
Status WriteAndRead(Cluster* client, int rounds, size_t bytes) {
  for (int round = 0; round < rounds; ++round) {
    const std::string written = std::to_string(round) + std::string(bytes, 'x');
    for (const std::string row : {"a", "z"}) {
      FENSI_RETURN_IF_ERROR(WriteValue(client, row, row + written));
      std::string value;
      FENSI_RETURN_IF_ERROR(ReadRow(client, row, &value));
      if (value != row + written) return Status(StatusCode::kInternal, "row " + row + " has another value");
    }
  }
  const Result<ScanPage> page = client->Scan("t", {}, kGranted);
  if (page.ok() && page->rows.empty()) return Status(StatusCode::kInternal, "the scan has no row");
  return page.status();
}

INSTANTIATE_TEST_SUITE_P(
    EachProtection, KerberosOf, ::testing::Values(Qop::kAuth, Qop::kAuthInt, Qop::kAuthConf), [](const auto& of) {
      return std::string(of.param == Qop::kAuth ? "Auth" : of.param == Qop::kAuthInt ? "AuthInt" : "AuthConf");
    });

TEST_P(KerberosOf, CarriesEveryCallHoweverAnswersAreCut) {
  for (const Style style : {Style::kWhole, Style::kSpread, Style::kTogether}) {
    kerberos_.style = style;
    const auto client = Open(GetParam());
    const Status status = WriteAndRead(client.get(), 5, 10);
    EXPECT_TRUE(status.ok()) << static_cast<int>(style) << ": " << status.ToString();
    EXPECT_TRUE(client->admin(kGranted).Describe("t").ok());
    EXPECT_TRUE(ChangeRow(client.get(), "s" + std::to_string(static_cast<int>(style)), "", "v").ok());
  }
  EXPECT_EQ(kerberos_.client(), kClient);
  EXPECT_EQ(server_.user(), kClient) << "HBase takes another user for one that we act for";
  EXPECT_EQ(kerberos_.messages > 0, GetParam() != Qop::kAuth);
}

/// The server names how many bytes of a message it takes; its own have no limit.
TEST_P(KerberosOf, CarriesLargeCallsAndAnswers) {
  kerberos_.most_bytes = 4'000;
  const auto client = Open(GetParam());
  const Status status = WriteAndRead(client.get(), 3, 2 << 20);
  EXPECT_TRUE(status.ok()) << status.ToString();
  const int least = GetParam() == Qop::kAuth ? 0 : (2 << 20) / 4'000;
  EXPECT_GE(kerberos_.messages, least);
}

TEST_P(KerberosOf, CarriesCallsOfManyThreads) {
  const auto client = Open(GetParam());
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int number = 0; number < 6; ++number) {
    threads.emplace_back([&, number] {
      for (int round = 0; round < 20; ++round) {
        const std::string row = std::to_string(number) + "." + std::to_string(round) + std::string(20'000, 'x');
        std::string value;
        if (WriteRows(client.get(), {row}).ok() && ReadRow(client.get(), row, &value).ok() && value == row) ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 6 * 20);
}

TEST_P(KerberosOf, AnotherProtectionIsNamedByBothSides) {
  for (const Qop theirs : kQops) {
    if (theirs == GetParam()) continue;
    kerberos_.offers = BitOf(theirs);
    const Status status = Ask(GetParam());
    EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
    EXPECT_THAT(status.message(),
                HasSubstr("hbase.rpc.protection is " + std::string(ProtectionName(theirs)) + ", and"));
    EXPECT_THAT(status.message(), HasSubstr("--store_qop=" + std::string(QopName(GetParam()))));
  }
}

/// Changed, repeated, or plain messages of an attacker.
TEST_P(KerberosOf, AMessageThatIsNotTheServersEndsTheConnection) {
  if (GetParam() == Qop::kAuth) return;  // nothing is protected
  std::vector<Style> styles = {Style::kSpoiled, Style::kTwice, Style::kUnwrapped};
  if (GetParam() == Qop::kAuthConf) styles.push_back(Style::kUnsealed);
  for (const Style style : styles) {
    kerberos_.style = style;
    const auto client = Open(GetParam());
    const size_t before = server_.connections();
    const Status first = ReadRow(client.get(), "a");  // a message that is repeated may pass before its copy
    const Status status = first.ok() ? ReadRow(client.get(), "a") : first;
    if (status.ok() && style == Style::kTwice) {
      constexpr size_t kOfOneRead = 3;  // of the registry, of lookups and of calls
      EXPECT_GT(server_.connections() - before, kOfOneRead) << "the copy ended the connection of the first read";
      continue;
    }
    EXPECT_EQ(status.code(), StatusCode::kPermission) << static_cast<int>(style) << ": " << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("Kerberos: "));
  }
}

TEST_P(KerberosOf, AHandshakeThatIsCutAnywhereEndsInTime) {
  for (int bytes = 0; bytes < 300; bytes += 23) {
    kerberos_.close_after = bytes;
    ClusterOptions options = Options(GetParam());
    options.connect_timeout = milliseconds(2'000);
    const Status status = Ask(options);
    if (status.ok()) continue;  // it has no more bytes
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << bytes << ": " << status.ToString();
    EXPECT_THAT(status.message(),
                HasSubstr("Kerberos handshake: the server closed the connection. If the server requires TLS, write "
                          "hbases:// in --store. If the error lasts, read the log of that server"));
  }
  kerberos_.close_after = -1;
  EXPECT_TRUE(Ask(GetParam()).ok());
}

TEST_P(KerberosOf, ComesThroughTlsToo) {
  const testing::Authority ours("ours");
  const TlsServer tls{ours.Issue("hbase", 1, "DNS:localhost"), ""};
  server_.greet = [this, &tls](int socket) -> std::unique_ptr<Wire> {
    std::unique_ptr<Wire> wire = tls.Shake(socket);
    return wire == nullptr ? nullptr : kerberos_.Greet(std::move(wire));
  };
  ClusterOptions options = Options(GetParam());
  options.security.tls =
      std::make_shared<TlsClientContexts>([&ours] { return TlsClientFiles{.authorities = ours.certificate()}; });
  const auto client = ClientOf(options);
  for (const Style style : {Style::kWhole, Style::kSpread}) {
    kerberos_.style = style;
    const Status status = WriteAndRead(client.get(), 2, style == Style::kWhole ? 1 << 20 : 100);
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  kerberos_.close_after = 23;
  EXPECT_THAT(Ask(options).message(), HasSubstr("Kerberos handshake: the server closed the connection. If the error "
                                                "lasts, read the log of that server"));
}

TEST_F(KerberosTest, AServersRefusalIsInItsWords) {
  kerberos_.refusal = "GSS initiate failed";
  const Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("refuses us as a client of hbase/localhost: "
                                          "javax.security.sasl.SaslException: GSS initiate failed"));
  EXPECT_THAT(status.message(), HasSubstr("Its log has the reason"));
}

TEST_F(KerberosTest, AServerWithoutItIsGoodOnlyIfThatIsAllowed) {
  kerberos_.asks_for_simple = true;
  ClusterOptions options = Options(Qop::kAuthConf);
  const Status status = Ask(options);
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("has no Kerberos: it asks for simple authentication"));
  EXPECT_THAT(status.message(), HasSubstr("--store_allow_simple_auth"));
  options.security.kerberos->allow_simple = true;
  EXPECT_TRUE(Ask(options).ok());
  EXPECT_EQ(server_.user(), "tester");
}

TEST_F(KerberosTest, AServerThatDemandsItIsNamedToAClientWithoutIt) {
  ClusterOptions options = Options(Qop::kAuthConf);
  options.security.kerberos.reset();
  const Status status = Ask(options);
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("Authentication is required"));
  EXPECT_THAT(status.message(), HasSubstr("give --store_kerberos_service"));
}

/// As a server that answers the preamble in HBase's usual form, and as one that knows no SASL at all.
TEST_F(KerberosTest, AnAnswerThatIsNoneOfSaslIsTheCause) {
  for (const std::string answer : {"\x7f\x7f\x7f\x7f", "\x01\x02"}) {
    server_.greet = [answer](int socket) -> std::unique_ptr<Wire> {
      Wire wire(socket);
      std::string bytes;
      wire.Read(10, &bytes);
      wire.Send(answer + std::string(8, '\0'));
      return nullptr;
    };
    const Status status = Ask();
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr("Kerberos"));
  }
}

TEST_F(KerberosTest, APrincipalIsThePatternOfHBasesConfiguration) {
  for (const char* good :
       {"hbase", "hbase/_HOST@FENSI.TEST", "hbase/localhost@FENSI.TEST", "hbase/LOCALHOST@FENSI.TEST"}) {
    ClusterOptions options = Options(Qop::kAuth);
    options.security.kerberos->region_servers = good;
    const Status status = Ask(options);
    EXPECT_TRUE(status.ok()) << good << ": " << status.ToString();
  }
  for (const char* wrong : {"nobody", "hbase/_HOST@OTHER.TEST", "hbase/elsewhere@FENSI.TEST"}) {
    ClusterOptions options = Options(Qop::kAuth);
    options.security.kerberos->region_servers = wrong;
    const Status status = Ask(options);
    EXPECT_FALSE(status.ok()) << wrong;
    EXPECT_THAT(status.message(), HasSubstr("Kerberos: "));
  }
  ClusterOptions options = Options(Qop::kAuth);
  options.security.kerberos->region_servers = "nobody";
  const Status status = Ask(options);
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("not found in Kerberos database"));
  EXPECT_THAT(status.message(), HasSubstr("--store_kerberos_service must name"));
}

/// The registry is a service of the masters.
TEST_F(KerberosTest, MastersMayHaveAPrincipalOfTheirOwn) {
  ClusterOptions options = Options(Qop::kAuth);
  options.security.kerberos->masters = "nobody";
  EXPECT_THAT(Ask(options).message(), HasSubstr("server localhost:"));
  EXPECT_THAT(Ask(options).message(), HasSubstr("nobody/localhost"));
  options.security.kerberos->region_servers = "nobody";
  options.security.kerberos->masters = "hbase";
  EXPECT_THAT(Ask(options).message(), HasSubstr("region server localhost:"));
}

TEST_F(KerberosTest, WithoutATicketOrKeytabTheRemedyIsNamed) {
  const EnvironmentVariable tickets("KRB5CCNAME", "FILE:/nowhere/tickets"),
      keytab("KRB5_CLIENT_KTNAME", "FILE:/nowhere/keytab");
  const Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("--kerberos_keytab"));
}

TEST_F(KerberosTest, OldKeysInTheKeytabAreNamed) {
  const EnvironmentVariable tickets("KRB5CCNAME", "MEMORY:old");
  const EnvironmentVariable keytab("KRB5_CLIENT_KTNAME", EnvironmentVariable::Value("FENSI_TEST_KEYTAB_OLD"));
  const Status status = Ask();
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("old keys"));
}

TEST_F(KerberosTest, AKdcThatIsAwayOrSilentIsUnavailableInTime) {
  for (const char* realm : {"FENSI_TEST_KDC_AWAY", "FENSI_TEST_KDC_SILENT"}) {
    const EnvironmentVariable config("KRB5_CONFIG", EnvironmentVariable::Value(realm)),
        tickets("KRB5CCNAME", std::string("MEMORY:") + realm);
    ClusterOptions options = Options(Qop::kAuthConf);
    options.connect_timeout = milliseconds(1'000);
    const auto begin = steady_clock::now();
    const Status status = Ask(options);
    EXPECT_LT(steady_clock::now() - begin, milliseconds(15'000)) << realm;
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << realm << ": " << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("KDC")) << realm;
  }
}

TEST_F(KerberosTest, AServerThatIsSilentInTheHandshakeIsLeftInTime) {
  kerberos_.is_silent = true;
  ClusterOptions options = Options(Qop::kAuthConf);
  options.connect_timeout = milliseconds(1'000);
  const auto begin = steady_clock::now();
  const Status status = Ask(options);
  EXPECT_LT(steady_clock::now() - begin, milliseconds(15'000));
  EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("Kerberos handshake: the server is silent. If the error lasts, "
                                          "read the log of that server"));
}

/// FENSI_TEST_KEYTAB_BRIEF: of a principal whose tickets last some seconds.
TEST_F(KerberosTest, TicketsAreRenewedAndConnectionsStay) {
  const EnvironmentVariable tickets("KRB5CCNAME", "MEMORY:brief");
  const EnvironmentVariable keytab("KRB5_CLIENT_KTNAME", EnvironmentVariable::Value("FENSI_TEST_KEYTAB_BRIEF"));
  const auto client = Open();
  EXPECT_TRUE(ReadRow(client.get(), "a").ok());
  EXPECT_EQ(kerberos_.client(), "brief@FENSI.TEST");
  const int logins = kerberos_.logins;
  sleep(5);  // longer than a ticket lasts
  EXPECT_TRUE(ReadRow(client.get(), "a").ok());
  EXPECT_EQ(kerberos_.logins, logins) << "a connection outlives its ticket";
  EXPECT_TRUE(client->admin(kGranted).Describe("t").ok()) << "a new connection has a new ticket";
  EXPECT_GT(kerberos_.logins, logins);
}

TEST_F(KerberosTest, ATicketThatHasExpiredIsNamed) {
  const EnvironmentVariable tickets("KRB5CCNAME", "MEMORY:expiring");
  {
    const EnvironmentVariable keytab("KRB5_CLIENT_KTNAME", EnvironmentVariable::Value("FENSI_TEST_KEYTAB_BRIEF"));
    EXPECT_TRUE(Ask().ok());
  }
  const EnvironmentVariable keytab("KRB5_CLIENT_KTNAME", "FILE:/nowhere/keytab");
  sleep(5);
  const Status status = Ask();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("Kerberos: "));
  EXPECT_THAT(status.message(), HasSubstr("expired"));
}

}  // namespace
}  // namespace fensi::hbase
