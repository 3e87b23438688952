// Every call of a store by TLS, and what each mistake with certificates and ports looks like.
#include "tests/store/hbase/tls_gateway.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "store/hbase/wire/connection.h"
#include "store/open_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/store/hbase/every_call.h"
#include "tests/support/fault_proxy.h"
#include "tests/support/loopback.h"

namespace fensi::store {
namespace {

using fensi::testing::Authority;
using fensi::testing::IssuedPems;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr milliseconds kSlack(10'000);  // a busy machine

/// Takes connections, and says what it is told to; nothing: it is silent. Then it closes, or waits.
class DeafServer {
 public:
  explicit DeafServer(std::string says = "", bool closes = false) : says_(std::move(says)), closes_(closes) {
    listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = fensi::testing::Loopback(0);
    socklen_t length = sizeof address;
    bind(listener_, reinterpret_cast<sockaddr*>(&address), length);
    listen(listener_, 16);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~DeafServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
    for (const int connection : connections_) close(connection);
  }
  int port() const { return port_; }

 private:
  void Serve() {
    for (int one = accept(listener_, nullptr, nullptr); one >= 0; one = accept(listener_, nullptr, nullptr)) {
      char first = 0;
      if (closes_ || !says_.empty()) static_cast<void>(recv(one, &first, 1, 0));
      static_cast<void>(send(one, says_.data(), says_.size(), MSG_NOSIGNAL));
      if (closes_) shutdown(one, SHUT_RDWR);
      connections_.push_back(one);
    }
  }

  const std::string says_;
  const bool closes_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<int> connections_;  // of the thread, and after it of the destructor
  std::thread thread_;
};

class TlsGateway : public ::testing::Test {
 protected:
  struct Wish {
    std::string scheme = "thrifts://";
    std::string host = "127.0.0.1";
    milliseconds connect_timeout = std::chrono::seconds(30);
    Clock* clock = SystemClock();
  };

  TlsClientFiles Trusting(const Authority& authority) const { return {.authorities = authority.certificate()}; }
  TlsClientFiles Showing(const IssuedPems& issued) const {
    return {ours_.certificate(), issued.certificate, issued.key};
  }

  std::unique_ptr<Store> Open(int port, const TlsClientFiles& pems, const Wish& wish) const {
    OpenOptions options{.connections = 1, .connect_timeout = wish.connect_timeout, .clock = wish.clock};
    options.security.pems = [pems] { return pems; };
    return OpenStore(wish.scheme + wish.host + ":" + std::to_string(port), options).value();
  }
  std::unique_ptr<Store> Open(int port, const TlsClientFiles& pems) const { return Open(port, pems, {}); }
  static Status Ask(Store* store) { return store->DescribeTable("t").status(); }

  const Authority ours_{"ours"}, strangers_{"strangers"};
  const IssuedPems shown_ = ours_.Issue("gateway");
};

TEST_F(TlsGateway, IsReachedByEveryCallInBinaryAndByHttp) {
  for (const bool http : {false, true}) {
    const auto gateway = MakeTlsGateway({.shown = shown_, .http = http});
    const auto store = Open(gateway->port(), Trusting(ours_), {.scheme = http ? "thrift+https://" : "thrifts://"});
    for (int round = 0; round < 3; ++round) {
      for (const Call& call : EveryCall()) {
        const Status status = call.run(store.get());
        EXPECT_TRUE(status.ok()) << call.name << (http ? " by HTTP: " : ": ") << status.ToString();
      }
    }
  }
}

/// More in all than Thrift's limit of one message, and than any buffer on the way.
TEST_F(TlsGateway, BringsLargeAnswersAndTakesLargeRowsAgainAndAgain) {
  for (const bool http : {false, true}) {
    const auto gateway = MakeTlsGateway({.shown = shown_, .http = http});
    const auto store = Open(gateway->port(), Trusting(ours_), {.scheme = http ? "thrift+https://" : "thrifts://"});
    ExpectLargeRowsPass(&gateway->handler(), store.get(), 10);
  }
}

TEST_F(TlsGateway, IsRefusedWhenItsCertificateIsOfAnotherAuthorityHostOrTime) {
  struct Case {
    IssuedPems shown;
    std::string host;
    const char* words;
  };
  const Case cases[] = {
      {strangers_.Issue("gateway"), "127.0.0.1", "signed by an unknown authority"},
      {ours_.Issue("gateway", -1), "127.0.0.1", "certificate has expired"},
      {ours_.Issue("gateway", 1, "IP:127.0.0.2"), "127.0.0.1", "is not for 127.0.0.1"},
      {ours_.Issue("gateway", 1, "DNS:other"), "localhost", "is not for localhost"},
      {ours_.Issue("gateway", 1, "DNS:*"), "localhost", "is not for localhost"},
  };
  for (const Case& one : cases) {
    const auto gateway = MakeTlsGateway({.shown = one.shown});
    const Status status = Ask(Open(gateway->port(), Trusting(ours_), {.host = one.host}).get());
    EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(one.words));
    EXPECT_THAT(status.message(), HasSubstr("gateway " + one.host + ":"));
  }
  const auto named = MakeTlsGateway({.shown = ours_.Issue("gateway", 1, "DNS:localhost")});
  EXPECT_TRUE(Ask(Open(named->port(), Trusting(ours_), {.host = "localhost"}).get()).ok());
}

TEST_F(TlsGateway, OfAnUnknownAuthorityIsRefusedWithoutAFileToo) {
  const auto gateway = MakeTlsGateway({.shown = shown_});
  const auto store = OpenStore("thrifts://127.0.0.1:" + std::to_string(gateway->port()), {.connections = 1}).value();
  const Status status = Ask(store.get());
  EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
  EXPECT_THAT(status.message(), HasSubstr("--store_tls_ca_file"));
}

TEST_F(TlsGateway, ThatDemandsACertificateTakesOnlyOneOfItsAuthority) {
  const auto gateway = MakeTlsGateway({.shown = shown_, .client_authority = strangers_.certificate()});
  EXPECT_TRUE(Ask(Open(gateway->port(), Showing(strangers_.Issue("fensi"))).get()).ok());
  struct Case {
    TlsClientFiles pems;
    const char* words;
  };
  const Case cases[] = {
      {Trusting(ours_), "demands a certificate"},
      {Showing(ours_.Issue("fensi")), "the server refused the certificate of --store_tls_cert_file"},
  };
  for (const Case& one : cases) {
    const Status status = Ask(Open(gateway->port(), one.pems).get());
    EXPECT_EQ(status.code(), StatusCode::kPermission) << status.ToString();
    EXPECT_THAT(status.message(), HasSubstr(one.words));
  }
}

TEST_F(TlsGateway, AndPlainOnesAreToldApartWithinTheTimeToConnect) {
  constexpr milliseconds kTimeout(500);
  FakeGateway plain;
  const auto begin = steady_clock::now();
  const Status tls_to_plain = Ask(Open(plain.port(), Trusting(ours_), {.connect_timeout = kTimeout}).get());
  EXPECT_LT(steady_clock::now() - begin, kTimeout + kSlack);
  EXPECT_EQ(tls_to_plain.code(), StatusCode::kUnavailable) << tls_to_plain.ToString();
  EXPECT_THAT(tls_to_plain.message(), HasSubstr("If this port has no TLS"));

  const auto secured = MakeTlsGateway({.shown = shown_});
  const auto store =
      OpenStore("thrift://127.0.0.1:" + std::to_string(secured->port()), {.connections = 1, .first_answer = kTimeout})
          .value();
  const Status plain_to_tls = Ask(store.get());
  EXPECT_THAT(plain_to_tls.code(), AnyOf(StatusCode::kUnavailable, StatusCode::kConfiguration))
      << "silent until the time was over, or closed just before: " << plain_to_tls.ToString();
  for (const char* words : {"--store_kerberos_service", "thrifts://", "thrift+https://"}) {
    EXPECT_THAT(plain_to_tls.message(), HasSubstr(words));
  }
}

TEST_F(TlsGateway, ThatSpeaksAnotherLanguageIsNamed) {
  const DeafServer http("HTTP/1.1 400 Bad Request\r\n\r\n");
  const Status no_tls = Ask(Open(http.port(), Trusting(ours_)).get());
  EXPECT_EQ(no_tls.code(), StatusCode::kConfiguration) << no_tls.ToString();
  EXPECT_THAT(no_tls.message(), HasSubstr("does not speak TLS"));

  const auto binary = MakeTlsGateway({.shown = shown_});
  const Status no_http = Ask(
      Open(binary->port(), Trusting(ours_), {.scheme = "thrift+https://", .connect_timeout = milliseconds(500)}).get());
  EXPECT_FALSE(no_http.ok());
  EXPECT_THAT(no_http.message(), HasSubstr("thrift+https:// for a gateway in HTTP mode"));
}

TEST_F(TlsGateway, ThatIsSilentOrClosesInTheHandshakeIsLeftInTime) {
  constexpr milliseconds kTimeout(300);
  const std::string half_a_record("\x16\x03\x03\x40\x00\x02", 6);
  for (const bool closes : {false, true}) {
    for (const std::string& says : {std::string(), half_a_record}) {
      const DeafServer server(says, closes);
      const auto begin = steady_clock::now();
      const Status status = Ask(Open(server.port(), Trusting(ours_), {.connect_timeout = kTimeout}).get());
      EXPECT_LT(steady_clock::now() - begin, kTimeout + kSlack);
      EXPECT_EQ(status.code(), StatusCode::kUnavailable) << status.ToString();
      EXPECT_THAT(status.message(), HasSubstr("TLS: "));
    }
  }
}

TEST_F(TlsGateway, ThatIsSilentInTheHandshakeHoldsNobodyWhoMayNotGoOn) {
  const DeafServer server;
  const auto store = Open(server.port(), Trusting(ours_));
  std::atomic<bool> may = true;
  const auto guarded = store->Guarded([&may] { return may ? Status() : Status(StatusCode::kFenced, "not any more"); });
  std::thread later([&may] {
    std::this_thread::sleep_for(milliseconds(300));
    may = false;
  });
  const auto begin = steady_clock::now();
  EXPECT_EQ(Ask(guarded.get()).code(), StatusCode::kFenced);
  EXPECT_LT(steady_clock::now() - begin, kSlack);
  later.join();
}

TEST_F(TlsGateway, IsSpokenToWithTheCertificateThatTheFilesHaveNow) {
  const auto gateway = MakeTlsGateway({.shown = shown_, .client_authority = strangers_.certificate()});
  Result<TlsClientFiles> now = Showing(ours_.Issue("wrong"));
  OpenOptions options{.connections = 1};
  options.security.pems = [&now] { return now; };
  const auto store = OpenStore("thrifts://127.0.0.1:" + std::to_string(gateway->port()), options).value();
  EXPECT_EQ(Ask(store.get()).code(), StatusCode::kPermission);
  now = Showing(strangers_.Issue("right"));
  EXPECT_TRUE(Ask(store.get()).ok());
}

TEST_F(TlsGateway, IsSpokenToWithTheFormerCertificateWhileFilesAreWritten) {
  const TlsClientFiles right = Showing(strangers_.Issue("right"));
  TlsClientFiles half = right;
  half.key = half.key.substr(0, 50);
  for (const Result<TlsClientFiles>& meanwhile :
       {Result<TlsClientFiles>(half), Result<TlsClientFiles>(Status(StatusCode::kNotFound, "gone"))}) {
    Result<TlsClientFiles> now = right;
    TlsClientContexts contexts([&now] { return now; });
    std::string kept;
    const auto first = contexts.Newest(&kept);
    ASSERT_TRUE(first.ok());
    EXPECT_EQ(kept, "");
    now = meanwhile;
    EXPECT_EQ(contexts.Newest(&kept).value(), first.value());
    EXPECT_NE(kept, "");
  }
}

TEST_F(TlsGateway, IsNotOpenedWithFilesThatAreWrong) {
  const IssuedPems issued = ours_.Issue("fensi");
  struct Case {
    TlsClientFiles pems;
    const char* words;
  };
  const Case cases[] = {
      {{.authorities = "nonsense"}, "--store_tls_ca_file: no certificates in PEM"},
      {{.authorities = issued.key}, "--store_tls_ca_file: no certificates in PEM"},
      {{.authorities = issued.authority + issued.authority.substr(0, 100)},
       "--store_tls_ca_file: no certificates in PEM"},
      {{"", issued.key, issued.key}, "--store_tls_cert_file: no certificates in PEM"},
      {{"", issued.certificate, issued.certificate}, "--store_tls_key_file: no key in PEM"},
      {{"", issued.certificate, ours_.Issue("other").key}, "--store_tls_key_file: no key in PEM"},
      {{"", issued.certificate, fensi::testing::EncryptedKey()}, "--store_tls_key_file: no key in PEM"},
      {Showing(ours_.Issue("old", -1)), "--store_tls_cert_file: the certificate has expired"},
      {Showing(ours_.Issue("new", 1, "IP:127.0.0.1", 1)), "--store_tls_cert_file: the certificate is not valid yet"},
  };
  for (const Case& one : cases) {
    OpenOptions options{.connections = 1};
    options.security.pems = [&one] { return one.pems; };
    const auto store = OpenStore("thrifts://127.0.0.1:1", options);
    EXPECT_EQ(store.status().code(), StatusCode::kConfiguration) << one.words;
    EXPECT_THAT(store.status().message(), HasSubstr(one.words));
  }
}

/// Who starts a proxy with a wrong certificate may mend it: a daemon that works is not ended at once.
TEST_F(TlsGateway, ThatIsRefusedAfterItWasTakenIsAwayForHalfAMinute) {
  FakeClock clock;
  GatewayOptions options{.clock = &clock};
  FirstAnswer answer(options);
  const Status refused(StatusCode::kConfiguration, "a wrong certificate");
  EXPECT_EQ(answer.AfterRefusal(refused).code(), StatusCode::kConfiguration) << "at the start it is told at once";
  answer.Came();
  EXPECT_EQ(answer.AfterRefusal(refused).code(), StatusCode::kUnavailable);
  clock.Advance(milliseconds(29'999));
  EXPECT_EQ(answer.AfterRefusal(refused).code(), StatusCode::kUnavailable);
  clock.Advance(milliseconds(1));
  EXPECT_EQ(answer.AfterRefusal(refused).code(), StatusCode::kConfiguration);
  answer.Came();
  EXPECT_EQ(answer.AfterRefusal(refused).code(), StatusCode::kUnavailable) << "it begins anew";
}

TEST_F(TlsGateway, WhoseConnectionWasClosedBetweenTwoCallsIsConnectedAnewWithoutAnError) {
  for (const bool http : {false, true}) {
    auto gateway = MakeTlsGateway({.shown = shown_, .http = http});
    fensi::testing::FaultProxy proxy(gateway->port());
    const auto store = Open(proxy.port(), Trusting(ours_), {.scheme = http ? "thrift+https://" : "thrifts://"});
    for (int i = 0; i < 3; ++i) {
      EXPECT_TRUE(Ask(store.get()).ok());
      proxy.Reset();
      std::this_thread::sleep_for(milliseconds(100));  // until it is seen here
    }
  }
}

}  // namespace
}  // namespace fensi::store
