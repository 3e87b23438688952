// TLS on the server's ports, and everything that is not quite TLS.
#include <gmock/gmock.h>
#include <openssl/ssl.h>

#include <thread>

#include "tests/capture/rpc/server_fixture.h"
#include "tests/capture/test_authority.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

// The beginning of a ClientHello of 512 bytes.
const std::string kHalfHello = FromHex("160301 0200 01 0001fc 0303");

class TlsTest : public RpcServerTest {
 protected:
  /// `authorities`: whose clients come in.
  void StartTls(const std::string& authorities = "", milliseconds handshake_timeout = milliseconds(10'000)) {
    RpcServerOptions options = Options();
    options.tls = ours_.Issue("capture");
    options.tls->client_authorities = authorities;
    options.handshake_timeout = handshake_timeout;
    Start(options);
  }
  /// What a region server has that trusts us and shows no certificate.
  TlsPems Trusting() const { return {.certificates = "", .key = "", .client_authorities = ours_.certificate()}; }
  /// One that shows this certificate.
  TlsPems Showing(TlsPems pems) const {
    pems.client_authorities = ours_.certificate();
    return pems;
  }
  bool IsServed(FakeRegionServer* client) {
    client->Greet();
    client->SendCall(7, OneEntry());
    const auto call = inbox_.Take();
    if (call == nullptr) return false;
    call->Answer(Status());
    return client->Receive().call_id == 7;
  }
  /// The server lets a region server in that shows this, and serves it.
  bool LetsIn(const TlsPems& pems) {
    FakeRegionServer client(port());
    return client.StartTls({.pems = pems}) && IsServed(&client);
  }
  /// The server ends the connection, in the handshake or right behind it.
  bool IsClosed(const FakeRegionServer::TlsWishes& wishes) {
    FakeRegionServer client(port());
    if (!client.StartTls(wishes)) return true;
    client.Greet();
    return client.Receive().closed;
  }
  bool TellsSoon(const std::string& text) {
    for (int i = 0; i < 6000 && !log_.Tells(text); ++i) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    EXPECT_THAT(notices(), HasSubstr(text));
    return true;
  }

  const TestAuthority ours_{"ours"}, theirs_{"theirs"}, strangers_{"strangers"};
};

TEST_F(TlsTest, CallsAreTakenInEveryVersionFrom12) {
  StartTls();
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    FakeRegionServer client(port());
    ASSERT_TRUE(client.StartTls({.pems = Trusting(), .version = version})) << client.error();
    EXPECT_TRUE(IsServed(&client));
    const std::vector<Entry> large = OneEntry(std::string(30'000, 'r'));
    client.SendCall(8, large);  // of several records
    const auto call = inbox_.Take();
    EXPECT_EQ(call->cells(), CellBlock(large));
    call->Answer(Status());
    EXPECT_EQ(client.Receive().call_id, 8u);
  }
  EXPECT_EQ(server_->connections_ever(), 2);
}

TEST_F(TlsTest, VersionsBefore12AreRefused) {
  StartTls();
  for (const int version : {TLS1_VERSION, TLS1_1_VERSION}) {
    EXPECT_TRUE(IsClosed({.pems = Trusting(), .version = version}));
  }
  TellsSoon("the client does not support TLS 1.2 or later");
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM"))) << "anybody may do so";
}

TEST_F(TlsTest, ARegionServerThatSpeaksPlainRpcIsToldSo) {
  StartTls();
  FakeRegionServer client(port());
  client.Greet();
  EXPECT_THAT(client.Receive().text, HasSubstr("Set hbase.client.netty.tls.enabled to true"));
  EXPECT_TRUE(client.Receive().closed);
  TellsSoon("connects without TLS, and this capture demands TLS");
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM"))) << "anybody may do so";
  EXPECT_TRUE(LetsIn(Trusting()));
}

TEST_F(TlsTest, TlsOnAPlainPortIsNamed) {
  Start();
  FakeRegionServer client(port());
  EXPECT_FALSE(client.StartTls({.pems = Trusting()}));
  TellsSoon("the region server connects over TLS, and this capture has no certificate");
}

TEST_F(TlsTest, BytesThatAreNothingAreClosedAndHarmNobody) {
  StartTls();
  const std::string records[] = {"GET / HTTP/1.1\r\n\r\n", kHalfHello + std::string(600, '\xff'),
                                 "\x16" + std::string(2'000, '\x16'), FromHex("160303ffff") + std::string(70'000, 'x'),
                                 FromHex("160301 0004 0e000000")};
  for (const std::string& bytes : records) {
    FakeRegionServer client(port());
    (void)client.Send(bytes);
    EXPECT_TRUE(client.Receive().closed || client.Receive().closed);
  }
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM")));
  EXPECT_TRUE(LetsIn(Trusting()));
}

TEST_F(TlsTest, AHandshakeThatStallsIsClosedInTime) {
  StartTls("", milliseconds(500));
  FakeRegionServer silent(port()), half(port());
  half.Send(kHalfHello);
  auto shaken = std::make_unique<FakeRegionServer>(port());
  // On a machine that stands still it is closed before it is done.
  while (!shaken->StartTls({.pems = Trusting()})) shaken = std::make_unique<FakeRegionServer>(port());
  const auto begin = std::chrono::steady_clock::now();
  for (FakeRegionServer* client : {&silent, &half, shaken.get()}) EXPECT_TRUE(client->Receive().closed);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(30'000)) << "a receiver waits a minute";
  TellsSoon("closed: the client did not send a TLS handshake, a preamble and a connection header in time");
}

TEST_F(TlsTest, OnlyRegionServersWithACertificateOfTheAuthoritiesComeIn) {
  StartTls(theirs_.certificate() + strangers_.certificate());
  EXPECT_TRUE(LetsIn(Showing(theirs_.Issue("rs1"))));
  EXPECT_TRUE(LetsIn(Showing(strangers_.Issue("rs2")))) << "both authorities count";
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    EXPECT_TRUE(IsClosed({.pems = Trusting(), .version = version}));
    TellsSoon("the client sent no certificate, and --tls_ca_file demands a certificate");
    EXPECT_TRUE(IsClosed({.pems = Showing(ours_.Issue("foreign")), .version = version}));
    TellsSoon("no authority of --tls_ca_file has signed the certificate of the client (");
    EXPECT_THAT(notices(), Not(HasSubstr("ALARM")));
  }
  EXPECT_TRUE(IsClosed({.pems = Showing(theirs_.Issue("old", -1))}));
  TellsSoon("the certificate of the region server is not valid (certificate has expired)");
  TellsSoon("ALARM");
  EXPECT_EQ(server_->connections_ever(), 2);
  EXPECT_EQ(inbox_.size(), 0u);
}

TEST_F(TlsTest, AClientThatDoesNotTrustUsIsToldOfWithTheRemedy) {
  StartTls();
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsPems wrong = Trusting();
    wrong.client_authorities = strangers_.certificate();
    EXPECT_TRUE(IsClosed({.pems = wrong, .version = version}));
  }
  TellsSoon("the region server refused the certificate of the capture (tlsv1 alert unknown ca");
  TellsSoon("Put the issuer of --tls_cert_file into the truststore");
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM"))) << "anybody may do so";
}

TEST_F(TlsTest, RenegotiationIsRefused) {
  StartTls();
  FakeRegionServer client(port());
  ASSERT_TRUE(client.StartTls({.pems = Trusting(), .version = TLS1_2_VERSION}));
  EXPECT_TRUE(IsServed(&client));
  EXPECT_FALSE(client.Renegotiate());
  EXPECT_EQ(client.error(), "no renegotiation");
  EXPECT_TRUE(LetsIn(Trusting()));
}

TEST_F(TlsTest, AnotherCertificateCountsForConnectionsThatBegin) {
  StartTls(theirs_.certificate());
  const TlsPems shown = Showing(theirs_.Issue("rs"));
  FakeRegionServer before(port());
  ASSERT_TRUE(before.StartTls({.pems = shown}));
  EXPECT_EQ(before.OtherName(), "capture");
  TlsPems renewed = ours_.Issue("renewed");
  renewed.client_authorities = strangers_.certificate();
  EXPECT_TRUE(server_->UseTls(renewed).ok());
  FakeRegionServer after(port());
  ASSERT_TRUE(after.StartTls({.pems = Showing(strangers_.Issue("rs"))}));
  EXPECT_EQ(after.OtherName(), "renewed");
  EXPECT_TRUE(IsServed(&after));
  EXPECT_TRUE(IsServed(&before)) << "who is there stays";
  EXPECT_TRUE(IsClosed({.pems = shown})) << "the former authority counts no more";
  TlsPems halves = ours_.Issue("half");
  halves.key = ours_.Issue("other").key;
  EXPECT_EQ(server_->UseTls(halves).code(), StatusCode::kConfiguration);
  FakeRegionServer still(port());
  ASSERT_TRUE(still.StartTls({.pems = Showing(strangers_.Issue("rs"))}));
  EXPECT_EQ(still.OtherName(), "renewed");
}

TEST_F(TlsTest, FilesThatAreNotRightAreNamed) {
  const TlsPems good = ours_.Issue("capture");
  const auto refused = [&](void (*spoil)(TlsPems*), const std::string& text) {
    TlsPems pems = good;
    spoil(&pems);
    const Status status = TlsContext::Create(pems).status();
    EXPECT_EQ(status.code(), StatusCode::kConfiguration) << text;
    EXPECT_THAT(status.message(), HasSubstr(text));
  };
  EXPECT_TRUE(TlsContext::Create(good).ok());
  refused([](TlsPems* pems) { pems->certificates = "nothing"; }, "--tls_cert_file: no certificate in PEM");
  refused([](TlsPems* pems) { pems->certificates.clear(); }, "--tls_cert_file: no certificate in PEM");
  refused([](TlsPems* pems) { pems->key = "nothing"; }, "--tls_key_file: no key in PEM");
  refused([](TlsPems* pems) { pems->key = fensi::testing::EncryptedKey(); },
          "--tls_key_file: no key in PEM without a pass phrase");
  refused([](TlsPems* pems) { pems->key = TestAuthority("x").Issue("y").key; }, "--tls_key_file: no key in PEM");
  refused([](TlsPems* pems) { pems->client_authorities = "nothing"; }, "--tls_ca_file: no certificates in PEM");
  refused([](TlsPems* pems) { pems->client_authorities.resize(pems->client_authorities.size() / 2); },
          "--tls_ca_file: no certificates in PEM");
  EXPECT_THAT(TlsContext::Create(ours_.Issue("old", -1)).status().message(), HasSubstr("the certificate has expired"));
  EXPECT_THAT(TlsContext::Create(ours_.Issue("new", 1, 1)).status().message(),
              HasSubstr("the certificate is not valid yet"));
}

TEST_F(TlsTest, AJavaKeystoreIsNamedWithTheWayToPem) {
  TlsPems pems = ours_.Issue("capture");
  pems.certificates = std::string("\xfe\xed\xfe\xed\0\0\0\2", 8);
  const Status certificate = TlsContext::Create(pems).status();
  EXPECT_THAT(certificate.message(),
              HasSubstr("--tls_cert_file: no certificate in PEM: the file is a Java keystore (JKS)"));
  EXPECT_THAT(certificate.message(), HasSubstr("keytool -importkeystore -srckeystore FILE -destkeystore FILE.p12"));
  EXPECT_THAT(certificate.message(), HasSubstr("openssl pkcs12 -in FILE.p12 -nokeys -out CERTIFICATES.pem"));
  pems = ours_.Issue("capture");
  pems.key = std::string("\xce\xce\xce\xce\0\0\0\2", 8);
  EXPECT_THAT(TlsContext::Create(pems).status().message(),
              HasSubstr("openssl pkcs12 -in FILE.p12 -nocerts -nodes -out KEY.pem"));
}

TEST_F(TlsTest, ManyHalfHandshakesCostLittleAndAreBoundedAndEnd) {
  StartTls("", milliseconds(6'000));
  std::vector<std::unique_ptr<FakeRegionServer>> hostile;
  const MemoryGrowth growth;
  for (int i = 0; i < 400; ++i) {
    hostile.push_back(std::make_unique<FakeRegionServer>(port()));
    hostile.back()->Send(kHalfHello);
  }
  TellsSoon("256 connections have not finished their handshake");
  EXPECT_LT(growth.Kilobytes(), 64 * 1024);
  RecordProperty("kilobytes", std::to_string(growth.Kilobytes()));
  for (const auto& client : hostile) EXPECT_TRUE(client->Receive().closed);
  EXPECT_TRUE(LetsIn(Trusting()));
}

TEST_F(TlsTest, WhatAConnectionCostsIsSmall) {
  StartTls();
  constexpr int kConnections = 200;
  std::vector<std::unique_ptr<FakeRegionServer>> clients;
  const MemoryGrowth growth;
  for (int i = 0; i < kConnections; ++i) {
    clients.push_back(std::make_unique<FakeRegionServer>(port()));
    ASSERT_TRUE(clients.back()->StartTls({.pems = Trusting()}));
    ASSERT_TRUE(IsServed(clients.back().get()));
  }
  EXPECT_LT(growth.Kilobytes() / kConnections, 250) << "with the client's end, which is as large";
  RecordProperty("kilobytes_each", std::to_string(growth.Kilobytes() / kConnections));
}

}  // namespace
}  // namespace fensi::capture
