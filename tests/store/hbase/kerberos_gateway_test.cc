// Every call of a store by Kerberos, with the realm that tests/store/kerberos_realm has made around this program.
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>

#include "store/hbase/wire/kerberos_session.h"
#include "store/open_store.h"
#include "tests/store/hbase/every_call.h"
#include "tests/store/hbase/sasl_gateway.h"
#include "tests/support/environment_variable.h"
#include "tests/support/fault_proxy.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::EnvironmentVariable;
using ::testing::HasSubstr;

constexpr milliseconds kSlack(10'000);  // a busy machine
constexpr Qop kAll[] = {Qop::kAuth, Qop::kAuthInt, Qop::kAuthConf};

struct Wish {
  std::string host = "localhost";
  std::string service = "hbase";
  milliseconds connect_timeout = std::chrono::seconds(30);
  int connections = 1;
};

std::unique_ptr<Store> Open(int port, Qop qop, const Wish& wish = {}) {
  OpenOptions options{.connections = wish.connections, .connect_timeout = wish.connect_timeout};
  options.security.kerberos_service = wish.service;
  options.security.qop = qop;
  return OpenStore("thrift://" + wish.host + ":" + std::to_string(port), options).value();
}

Status Ask(Store* store) { return store->DescribeTable("t").status(); }

TEST(KerberosGateway, IsReachedByEveryCallInEachWayOfProtection) {
  for (const Qop qop : kAll) {
    const auto gateway = MakeSaslGateway(qop);
    const auto store = Open(gateway->port(), qop, {.connections = 3});
    for (int round = 0; round < 3; ++round) {
      for (const Call& call : EveryCall()) {
        const Status status = call.run(store.get());
        EXPECT_TRUE(status.ok()) << call.name << " " << QopName(qop) << ": " << status.ToString();
      }
    }
  }
}

TEST(KerberosGateway, TakesLargeRowsAndBringsLargeAnswersAgainAndAgain) {
  for (const Qop qop : kAll) {
    const auto gateway = MakeSaslGateway(qop);
    const int times = qop == Qop::kAuthConf ? 9 : 2;  // more in all than one message may have
    ExpectLargeRowsPass(&gateway->handler(), Open(gateway->port(), qop).get(), times);
  }
}

TEST(KerberosGateway, IsToldOfTheOtherWayOfProtectionByBothNames) {
  for (const Qop theirs : kAll) {
    const auto gateway = MakeSaslGateway(theirs);
    for (const Qop ours : kAll) {
      if (ours == theirs) continue;
      const Status status = Ask(Open(gateway->port(), ours).get());
      EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
      // Cyrus' server offers no encryption to who cannot encrypt; Java's offers what it is set to.
      const bool shown = theirs != Qop::kAuthConf || ours != Qop::kAuth;
      const std::string named(shown ? QopName(theirs) : "another");
      EXPECT_THAT(status.message(), HasSubstr("hbase.thrift.security.qop is " + named + ", and"));
      EXPECT_THAT(status.message(), HasSubstr("--store_qop is " + std::string(QopName(ours))));
    }
  }
}

TEST(KerberosGateway, OfAnUnknownPrincipalIsNamedInGssapisWords) {
  const auto gateway = MakeSaslGateway(Qop::kAuthConf);
  for (const Wish& wish : {Wish{.service = "nobody"}, Wish{.host = "127.0.0.1"}}) {
    const Status status = Ask(Open(gateway->port(), Qop::kAuthConf, wish).get());
    EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("not found in Kerberos database"));
  }
}

TEST(KerberosGateway, IsRefusedWithoutATicketOrKeytab) {
  const EnvironmentVariable tickets("KRB5CCNAME", "FILE:/nowhere/tickets"),
      keytab("KRB5_CLIENT_KTNAME", "FILE:/nowhere/keytab");
  const auto gateway = MakeSaslGateway(Qop::kAuthConf);
  const Status status = Ask(Open(gateway->port(), Qop::kAuthConf).get());
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("Kerberos: "));
}

/// FENSI_TEST_KEYTAB_OLD: the keys that the principal had before it got new ones.
TEST(KerberosGateway, IsRefusedWithAKeytabWhoseKeysAreOld) {
  const EnvironmentVariable tickets("KRB5CCNAME", "MEMORY:old");
  const EnvironmentVariable keytab("KRB5_CLIENT_KTNAME", EnvironmentVariable::Value("FENSI_TEST_KEYTAB_OLD"));
  const auto gateway = MakeSaslGateway(Qop::kAuthConf);
  const Status status = Ask(Open(gateway->port(), Qop::kAuthConf).get());
  EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
}

TEST(KerberosGateway, WithoutAnyKdcIsUnavailableAndWithOneThatIsSilentToo) {
  const auto gateway = MakeSaslGateway(Qop::kAuthConf);
  for (const char* realm : {"FENSI_TEST_KDC_AWAY", "FENSI_TEST_KDC_SILENT"}) {
    const EnvironmentVariable config("KRB5_CONFIG", EnvironmentVariable::Value(realm)),
        tickets("KRB5CCNAME", std::string("MEMORY:") + realm);
    const milliseconds timeout(1'000);
    const auto begin = steady_clock::now();
    const Status status = Ask(Open(gateway->port(), Qop::kAuthConf, {.connect_timeout = timeout}).get());
    EXPECT_LT(steady_clock::now() - begin, timeout + kSlack) << realm;
    EXPECT_EQ(status.code(), StatusCode::kUnavailable) << realm << ": " << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr("KDC")) << realm;
  }
}

TEST(KerberosGateway, AndPlainOnesAreToldApartWithinTheTimeToConnect) {
  constexpr milliseconds kTimeout(500);
  FakeGateway plain;
  const auto begin = steady_clock::now();
  const Status status = Ask(Open(plain.port(), Qop::kAuthConf, {.connect_timeout = kTimeout}).get());
  EXPECT_LT(steady_clock::now() - begin, kTimeout + kSlack);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("Kerberos"));

  const auto secured = MakeSaslGateway(Qop::kAuthConf);
  const auto store =
      OpenStore("thrift://localhost:" + std::to_string(secured->port()), {.connections = 1, .first_answer = kTimeout})
          .value();
  const Status plainly = Ask(store.get());
  EXPECT_EQ(plainly.code(), StatusCode::kUnavailable) << plainly.ToString();
  EXPECT_THAT(plainly.message(), HasSubstr("--store_kerberos_service"));
}

/// Cut at any place, the call ends with an error, and the next one is right.
TEST(KerberosGateway, WhoseConnectionIsCutAnywhereIsConnectedAnew) {
  const auto gateway = MakeSaslGateway(Qop::kAuthConf);
  fensi::testing::FaultProxy proxy(gateway->port());
  const auto store = Open(proxy.port(), Qop::kAuthConf);
  using Way = fensi::testing::FaultProxy::Way;
  for (const Way way : {Way::kRequests, Way::kReplies}) {
    for (int64_t bytes = 0; bytes < 1'200; bytes += 37) {
      proxy.Reset();
      proxy.CutAfter(way, bytes);
      static_cast<void>(Ask(store.get()));
      proxy.Heal();
      const Status status = Ask(store.get());
      EXPECT_TRUE(status.ok()) << bytes << ": " << status.ToString();
    }
  }
}

/// Bytes are what a network without protection would show.
TEST(KerberosGateway, OfTheStrongestWayShowsNothingToWhoListens) {
  for (const Qop qop : kAll) {
    const auto gateway = MakeSaslGateway(qop);
    std::string heard;
    std::mutex mu;
    fensi::testing::FaultProxy proxy(gateway->port());
    proxy.SetObserver([&](int, fensi::testing::FaultProxy::Way, std::string_view piece) {
      const std::lock_guard lock(mu);
      heard += piece;
    });
    const std::vector<RowMutation> rows = {{"a", {PutCell("f:q", 1, "a-secret-value")}}};
    ASSERT_TRUE(Open(proxy.port(), qop)->Put("t", rows).ok());
    const std::lock_guard lock(mu);
    EXPECT_EQ(heard.find("a-secret-value") == std::string::npos, qop == Qop::kAuthConf) << QopName(qop);
  }
}

}  // namespace
}  // namespace fensi::store
