// Kerberos on the server's ports, and everything that is not quite Kerberos; in the realm that
// tests/support/kerberos_realm.py has made around this program.
#include "capture/rpc/kerberos.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <thread>

#include "base/bytes.h"
#include "tests/capture/kerberos_initiator.h"
#include "tests/capture/rpc/server_fixture.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

constexpr Qop kEach[] = {Qop::kAuth, Qop::kAuthInt, Qop::kAuthConf};
const std::string kService = "hbase/localhost@FENSI.TEST", kClient = "fensi@FENSI.TEST";
const std::string kGreeting = ConnectionHeaderBytes();

/// The path in a variable that names a keytab.
std::string KeytabOf(const char* variable) {
  const char* value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  const std::string text = value == nullptr ? "" : value;
  return text.substr(text.find(':') + 1);
}

KerberosOptions Service(Qop least, std::vector<std::string> allowed = {kClient}) {
  return {.keytab = KeytabOf("KRB5_KTNAME"), .principal = kService, .allowed = std::move(allowed), .least = least};
}

class KerberosTest : public RpcServerTest {
 protected:
  void StartWith(KerberosOptions kerberos, milliseconds handshake_timeout = milliseconds(10'000)) {
    RpcServerOptions options = Options();
    options.kerberos = std::move(kerberos);
    options.handshake_timeout = handshake_timeout;
    Start(options);
  }
  void StartDemanding(Qop least) { StartWith(Service(least)); }
  /// The next call in the inbox is that one; it is answered.
  void ExpectServed(KerberosRegionServer* client, uint32_t call_id, const std::vector<Entry>& entries) {
    const auto call = inbox_.Take();
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->request(), RequestBytes(entries));
    EXPECT_EQ(call->cells(), CellBlock(entries));
    call->Answer(Status());
    const FakeRegionServer::Reply reply = client->Receive();
    EXPECT_EQ(reply.call_id, call_id);
    EXPECT_FALSE(reply.failed || reply.closed) << reply.text;
  }
  void ExpectServes(KerberosInitiator::Wish wish) {
    KerberosRegionServer client(port(), std::move(wish));
    ASSERT_TRUE(client.Shake()) << client.error();
    EXPECT_TRUE(client.Send(kGreeting + CallBytes(7, OneEntry())));
    ExpectServed(&client, 7, OneEntry());
  }
  /// Soon: whoever lets go of a call tells the server's thread of it.
  void ExpectAllGivenBack() {
    for (int i = 0; i < 1000 && server_->held_bytes() > 0; ++i) std::this_thread::sleep_for(milliseconds(10));
    EXPECT_EQ(server_->held_bytes(), 0u);
  }
  bool TellsSoon(const std::string& text) {
    for (int i = 0; i < 1000 && !log_.Tells(text); ++i) std::this_thread::sleep_for(milliseconds(10));
    EXPECT_THAT(notices(), HasSubstr(text));
    return true;
  }
  /// What a client is told that is refused in the handshake.
  std::string Refusal(KerberosInitiator::Wish wish) {
    KerberosRegionServer client(port(), std::move(wish));
    EXPECT_FALSE(client.Shake());
    return client.error();
  }
};

TEST_F(KerberosTest, CallsAreTakenByEachProtectionFromTheLeastOn) {
  for (const Qop least : kEach) {
    StartDemanding(least);
    for (const Qop qop : kEach) {
      if (qop >= least) ExpectServes({.qop = qop});
    }
    TellsSoon("connected (" + kClient + ", " + std::string(QopName(least)) + ")");
    ExpectAllGivenBack();
  }
}

TEST_F(KerberosTest, LargeCallsAndManyPassAgainAndAgain) {
  for (const Qop qop : kEach) {
    StartDemanding(qop);
    KerberosRegionServer client(port(), {.qop = qop});
    ASSERT_TRUE(client.Shake()) << client.error();
    client.Send(kGreeting);
    for (uint32_t id = 1; id <= 20; ++id) {
      const auto entries = OneEntry(std::string(id * 1500, 'r'));
      ASSERT_TRUE(client.Send(CallBytes(id, entries)));
      ExpectServed(&client, id, entries);
    }
  }
}

TEST_F(KerberosTest, AMessageMayHoldTheHeaderAndManyCalls) {
  StartDemanding(Qop::kAuthConf);
  KerberosRegionServer client(port());
  ASSERT_TRUE(client.Shake()) << client.error();
  std::string message = kGreeting;
  constexpr uint32_t kCalls = 100;  // more than may be in hand
  for (uint32_t id = 1; id <= kCalls; ++id) message += CallBytes(id, OneEntry("row" + std::to_string(id)));
  ASSERT_TRUE(client.Send(message));
  for (uint32_t id = 1; id <= kCalls; ++id) {
    ASSERT_NO_FATAL_FAILURE(ExpectServed(&client, id, OneEntry("row" + std::to_string(id))));
  }
  ExpectAllGivenBack();
}

/// HBase sends what comes before the cells of a call in one message, and the cells in the next.
TEST_F(KerberosTest, ACallMayBeSpreadOverMessages) {
  for (const Qop qop : {Qop::kAuthInt, Qop::kAuthConf}) {
    StartDemanding(qop);
    for (const size_t piece : {1, 3, 4, 5, 7, 100, 1000}) {
      KerberosRegionServer client(port(), {.qop = qop});
      ASSERT_TRUE(client.Shake()) << client.error();
      std::string calls = kGreeting;
      for (uint32_t id = 1; id <= 3; ++id) calls += CallBytes(id, OneEntry("row" + std::to_string(id)));
      for (size_t at = 0; at < calls.size(); at += piece) ASSERT_TRUE(client.Send(calls.substr(at, piece)));
      for (uint32_t id = 1; id <= 3; ++id) {
        ASSERT_NO_FATAL_FAILURE(ExpectServed(&client, id, OneEntry("row" + std::to_string(id)))) << piece;
      }
    }
    ExpectAllGivenBack();
  }
}

TEST_F(KerberosTest, ACallWhoseRestDoesNotComeGivesItsRoomBack) {
  StartDemanding(Qop::kAuthInt);
  {
    KerberosRegionServer client(port(), {.qop = Qop::kAuthInt});
    ASSERT_TRUE(client.Shake()) << client.error();
    client.Send(kGreeting);
    const std::string call = CallBytes(1, OneEntry());
    client.Send(call.substr(0, call.size() - 1));
    for (int i = 0; i < 1000 && server_->held_bytes() == 0; ++i) std::this_thread::sleep_for(milliseconds(10));
    EXPECT_GT(server_->held_bytes(), 0u);
  }
  ExpectAllGivenBack();
  EXPECT_EQ(inbox_.size(), 0u);
}

TEST_F(KerberosTest, TheRoomOfAMessageIsHeldUntilItsLastCallIsAnswered) {
  StartDemanding(Qop::kAuthInt);
  KerberosRegionServer client(port(), {.qop = Qop::kAuthInt});
  ASSERT_TRUE(client.Shake()) << client.error();
  client.Send(kGreeting + CallBytes(1, OneEntry("a")) + CallBytes(2, OneEntry("b")));
  auto first = inbox_.Take(), second = inbox_.Take();
  const size_t held = server_->held_bytes();
  EXPECT_GT(held, 0u);
  first->Answer(Status());
  first.reset();
  EXPECT_EQ(client.Receive().call_id, 1u);
  EXPECT_EQ(server_->held_bytes(), held);
  EXPECT_EQ(second->cells(), CellBlock(OneEntry("b")));
  second->Answer(Status());
  second.reset();
  EXPECT_EQ(client.Receive().call_id, 2u);
  ExpectAllGivenBack();
}

TEST_F(KerberosTest, LessProtectionThanIsDemandedIsToldOfWithTheRemedy) {
  for (const Qop least : {Qop::kAuthInt, Qop::kAuthConf}) {
    StartDemanding(least);
    EXPECT_THAT(Refusal({.qop = Qop::kAuth}), HasSubstr("No common protection layer")) << "Java's words";
    TellsSoon("does not protect its calls as --rpc_qop=" + std::string(QopName(least)) + " demands");
    TellsSoon("hbase.rpc.protection to " + std::string(ProtectionName(least)) +
              " in the CONFIG of the replication peer");
    ExpectServes({.qop = least});
  }
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM"))) << "anybody may do so";
}

TEST_F(KerberosTest, OnlyPrincipalsThatAreNamedComeIn) {
  StartWith(Service(Qop::kAuth, {"hbase/*@FENSI.TEST"}));
  EXPECT_THAT(Refusal({.qop = Qop::kAuth}),
              HasSubstr("the principal " + kClient +
                        " may not send edits. If a region server has this principal, add it to "
                        "--allow_principal, which has hbase/*@FENSI.TEST"));
  TellsSoon("the principal " + kClient + " may not send edits");
  EXPECT_EQ(server_->connections_ever(), 0);
}

TEST_F(KerberosTest, NobodyActsForAnother) {
  StartDemanding(Qop::kAuth);
  KerberosRegionServer client(port(), {.qop = Qop::kAuth, .acts_for = "hbase/localhost@FENSI.TEST"});
  EXPECT_TRUE(client.Shake()) << "its last word";
  TellsSoon("the principal " + kClient + " may not act for another user");
  EXPECT_EQ(server_->connections_ever(), 0);
  ExpectServes({.qop = Qop::kAuth, .acts_for = kClient});
}

TEST_F(KerberosTest, ATicketForAnotherPrincipalNamesOurs) {
  StartDemanding(Qop::kAuth);
  EXPECT_THAT(Refusal({.server = kClient}),
              AllOf(HasSubstr("the region server requested another principal than " + kService),
                    HasSubstr("hbase.regionserver.kerberos.principal")));
}

TEST_F(KerberosTest, OldKeysInTheKeytabAreNamed) {
  KerberosOptions options = Service(Qop::kAuth);
  options.principal = kClient;
  options.keytab = KeytabOf("FENSI_TEST_KEYTAB_OLD");
  StartWith(options);
  EXPECT_THAT(Refusal({.server = kClient}), HasSubstr("keytab"));
}

TEST_F(KerberosTest, TheKeytabIsReadAtEachHandshake) {
  const std::string path = ::testing::TempDir() + "fensi_keytab_" + std::to_string(getpid());
  const auto copy = [&path](const std::string& from) {
    std::filesystem::copy_file(from, path, std::filesystem::copy_options::overwrite_existing);
  };
  KerberosOptions options = Service(Qop::kAuth);
  copy(options.keytab);
  options.keytab = path;
  StartWith(options);
  ExpectServes({.qop = Qop::kAuth});
  copy(KeytabOf("FENSI_TEST_KEYTAB_OLD"));
  EXPECT_THAT(Refusal({.qop = Qop::kAuth}), HasSubstr("Kerberos: "));
  copy(Service(Qop::kAuth).keytab);
  ExpectServes({.qop = Qop::kAuth});
  std::filesystem::remove(path);
}

TEST_F(KerberosTest, AClientWithoutATicketIsToldOf) {
  StartDemanding(Qop::kAuth);
  EXPECT_THAT(Refusal({.server = "nobody/localhost@FENSI.TEST"}), HasSubstr("not found in Kerberos database"));
  TellsSoon("ended the handshake before it sent a ticket. Probably its KDC gave it no ticket for " + kService);
  EXPECT_EQ(server_->nameless_ever(), 0);
  { FakeRegionServer leaves(port()); }
  for (int i = 0; i < 1000 && server_->nameless_ever() == 0; ++i) std::this_thread::sleep_for(milliseconds(10));
  EXPECT_EQ(server_->nameless_ever(), 1);
}

TEST_F(KerberosTest, WhoComesWithoutItIsRefusedAndTheReverse) {
  StartDemanding(Qop::kAuth);
  {
    FakeRegionServer plain(port());
    plain.Greet();
    EXPECT_THAT(plain.Receive().text, HasSubstr("uses no Kerberos, and this capture demands Kerberos"));
    EXPECT_TRUE(plain.Receive().closed);
  }
  Start();
  EXPECT_THAT(Refusal({}), AllOf(HasSubstr("AccessDeniedException: fensi capture: the region server uses Kerberos"),
                                 HasSubstr("\"hbase.security.authentication\" => \"simple\"")));
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM"))) << "anybody may do so";
}

TEST_F(KerberosTest, TokensThatAreNothingAreClosedAndHarmNobody) {
  StartDemanding(Qop::kAuth);
  const std::string ticket = KerberosInitiator({}).Step("");
  std::vector<std::string> tokens = {"",
                                     "x",
                                     std::string(60'000, '\xff'),
                                     std::string(10, '\0'),
                                     ticket.substr(0, ticket.size() / 2),
                                     ticket + "x",
                                     "\x60\x82\xff\xff" + ticket};
  for (size_t at = 0; at < ticket.size(); at += 23) {
    tokens.push_back(ticket);
    tokens.back()[at] = static_cast<char>(tokens.back()[at] ^ 0x5a);
  }
  for (const std::string& token : tokens) {
    FakeRegionServer client(port());
    client.Send(KerberosPreambleBytes() + BigEndian(token.size(), 4) + token);
    std::string answer;
    if (client.ReadExactly(4, &answer) && ReadBigEndian32(answer) == 0) client.Send(BigEndian(3, 4) + "abc");
    client.Close();
  }
  EXPECT_EQ(server_->connections_ever(), 0);
  EXPECT_THAT(notices(), Not(HasSubstr("ALARM")));
  ExpectServes({.qop = Qop::kAuth});
}

TEST_F(KerberosTest, ATokenIsBoundedBeforeAnythingIsTakenForIt) {
  StartDemanding(Qop::kAuth);
  for (const uint32_t bytes : {65'537u, 0x7fffffffu, 0xffffffffu}) {
    FakeRegionServer client(port());
    client.Send(KerberosPreambleBytes() + BigEndian(bytes, 4));
    std::string answer;
    EXPECT_TRUE(client.ReadExactly(4, &answer));
    EXPECT_EQ(ReadBigEndian32(answer), 1u);
  }
  TellsSoon("bytes, which is no token of Kerberos");
}

TEST_F(KerberosTest, ManyHalfHandshakesCostLittleAndAreBoundedAndEnd) {
  StartWith(Service(Qop::kAuth), milliseconds(6'000));
  std::vector<std::unique_ptr<FakeRegionServer>> hostile;
  const MemoryGrowth growth;
  for (int i = 0; i < 400; ++i) {
    hostile.push_back(std::make_unique<FakeRegionServer>(port()));
    hostile.back()->Send(KerberosPreambleBytes() + BigEndian(65'536, 4) + std::string(1000, 'x'));
  }
  TellsSoon("256 connections have not finished their handshake");
  EXPECT_LT(growth.Kilobytes(), 64 * 1024);
  for (const auto& client : hostile) EXPECT_TRUE(client->Receive().closed);
  ExpectServes({.qop = Qop::kAuth});
}

TEST_F(KerberosTest, AHandshakeThatStallsIsClosedInTime) {
  StartWith(Service(Qop::kAuth), milliseconds(500));
  FakeRegionServer silent(port()), half(port());
  silent.Send(KerberosPreambleBytes());
  const std::string ticket = KerberosInitiator({}).Step("");
  half.Send(KerberosPreambleBytes() + BigEndian(ticket.size(), 4) + ticket);
  std::string answer;
  while (half.ReadExactly(1, &answer)) continue;  // ours, and then the end
  EXPECT_TRUE(silent.Receive().closed);
  TellsSoon("closed: the client did not send a preamble and a connection header in time");
}

/// Behind a handshake of `qop`, the messages that `spoil` makes of a call end the connection with these words.
class SpoiledMessage : public KerberosTest {
 protected:
  using Spoil = std::function<std::string(KerberosInitiator* initiator, const std::string& call)>;

  void ExpectRefused(Qop qop, const std::string& words, const Spoil& spoil) {
    StartDemanding(qop);
    KerberosRegionServer client(port(), {.qop = qop});
    ASSERT_TRUE(client.Shake()) << client.error();
    client.Send(kGreeting);
    for (const bool good : {true, false}) {
      const std::string call = CallBytes(1, OneEntry());
      if (good) {
        client.Send(call);
        ASSERT_NO_FATAL_FAILURE(ExpectServed(&client, 1, OneEntry()));
      } else {
        client.wire().Send(spoil(&client.initiator(), call));
      }
    }
    TellsSoon(words);
    std::string rest;
    while (client.wire().ReadExactly(1, &rest)) continue;
    EXPECT_EQ(inbox_.size(), 0u);
  }
  static std::string Message(const std::string& wrapped) { return BigEndian(wrapped.size(), 4) + wrapped; }
};

TEST_F(SpoiledMessage, OfWhichAByteWasChangedIsRefused) {
  for (const Qop qop : {Qop::kAuthInt, Qop::kAuthConf}) {
    ExpectRefused(qop, "refused: Kerberos: ", [](KerberosInitiator* initiator, const std::string& call) {
      std::string wrapped = initiator->Wrap(call);
      wrapped[wrapped.size() / 2] = static_cast<char>(wrapped[wrapped.size() / 2] ^ 1);
      return Message(wrapped);
    });
  }
}

/// MIT's library has forms of its own by the first two bytes, and ends the process by some of them.
TEST_F(SpoiledMessage, OfAnotherFormIsRefused) {
  for (const Qop qop : {Qop::kAuthInt, Qop::kAuthConf}) {
    for (const std::string form :
         {"\x01\x01", "\x01\x02", "\x02\x01", "\x02\x02", "\x04\x04", "\x05\x05", "\x60\x23"}) {
      ExpectRefused(qop, "is not wrapped as RFC 4121 wants it",
                    [form](KerberosInitiator* initiator, const std::string& call) {
                      return Message(initiator->Wrap(call).replace(0, 2, form));
                    });
    }
    ExpectRefused(qop, "is not wrapped", [](KerberosInitiator*, const std::string&) { return Message("\x05"); });
  }
}

TEST_F(SpoiledMessage, ThatComesTwiceIsRefused) {
  ExpectRefused(Qop::kAuthConf, "refused: Kerberos: ", [](KerberosInitiator* initiator, const std::string&) {
    const std::string message = Message(initiator->Wrap(CallBytes(2, "", "", "GetClusterStatus")));
    return message + message;
  });
}

TEST_F(SpoiledMessage, ThatIsNotEncryptedIsRefusedWhereItShouldBe) {
  ExpectRefused(
      Qop::kAuthConf, "is not encrypted, and auth-conf was agreed on",
      [](KerberosInitiator* initiator, const std::string& call) { return Message(initiator->Wrap(call, false)); });
}

TEST_F(SpoiledMessage, ThatIsPlainIsRefused) {
  ExpectRefused(Qop::kAuthInt, "refused: Kerberos: ", [](KerberosInitiator*, const std::string& call) { return call; });
}

TEST_F(SpoiledMessage, OfACallThatIsTooLargeIsRefusedWhereverItsLengthIsCut) {
  for (const size_t cut : {1, 3, 4, 5}) {
    ExpectRefused(Qop::kAuthConf, "Raise --frame_mb, in MB, to hbase.ipc.max.request.size",
                  [cut](KerberosInitiator* initiator, const std::string&) {
                    const std::string frame = BigEndian((1 << 20) + 1, 4) + "begins";
                    const std::string begin = Message(initiator->Wrap(frame.substr(0, cut)));
                    return begin + Message(initiator->Wrap(frame.substr(cut)));
                  });
    ExpectAllGivenBack();
  }
}

TEST_F(SpoiledMessage, OfNothingIsRefused) {
  ExpectRefused(Qop::kAuthConf, "an encrypted message of the region server holds no call",
                [](KerberosInitiator* initiator, const std::string&) { return Message(initiator->Wrap("")); });
}

TEST_F(SpoiledMessage, AboveTheLimitIsRefusedByItsLength) {
  ExpectRefused(Qop::kAuthConf, "Raise --frame_mb, in MB, to hbase.ipc.max.request.size",
                [](KerberosInitiator*, const std::string&) { return BigEndian((1 << 20) + 65'537, 4); });
}

TEST_F(KerberosTest, AHeaderThatIsRefusedIsAnAlarmAndIsAnswered) {
  StartDemanding(Qop::kAuthConf);
  KerberosRegionServer client(port());
  ASSERT_TRUE(client.Shake()) << client.error();
  client.Send(ConnectionHeaderBytes("org.example.Codec"));
  EXPECT_THAT(client.Receive().text, HasSubstr("is not supported"));
  TellsSoon("ALARM");
}

TEST(KerberosKey, ThatIsNotThereIsNamed) {
  const auto fault = [](const KerberosOptions& options) {
    const Status status = KerberosAcceptor::Create(options).status();
    EXPECT_EQ(status.code(), StatusCode::kConfiguration);
    return status.message();
  };
  KerberosOptions options = Service(Qop::kAuth);
  EXPECT_TRUE(KerberosAcceptor::Create(options).ok());
  options.principal = "other/localhost@FENSI.TEST";
  EXPECT_THAT(fault(options), HasSubstr("has no key of --rpc_principal other/localhost@FENSI.TEST"));
  options = Service(Qop::kAuth);
  options.keytab = "/no/such";
  EXPECT_THAT(fault(options), HasSubstr("--rpc_keytab: /no/such has no key"));
}

TEST(KerberosAdvice, IsGivenForWhatGoesWrongInTheField) {
  const auto advice = [](const std::string& words) { return AdviceOnHandshake(words, "us@REALM"); };
  EXPECT_THAT(advice("Clock skew too great"), HasSubstr("the clocks of the region server and of this machine"));
  EXPECT_THAT(advice("Ticket expired"), HasSubstr("connection of the server brings a new ticket"));
  EXPECT_THAT(advice("Wrong principal in request"), HasSubstr("requested another principal than us@REALM"));
  EXPECT_THAT(advice("Request ticket server them@REALM not found in keytab (ticket kvno 2)"),
              HasSubstr("requested another principal than us@REALM"));
  EXPECT_THAT(advice("Cannot decrypt ticket for them@REALM using keytab key for us@REALM"),
              HasSubstr("requested another principal than us@REALM"));
  EXPECT_THAT(advice("Cannot decrypt ticket for us@REALM using keytab key for us@REALM"),
              HasSubstr("--rpc_keytab has old keys of us@REALM"));
  EXPECT_THAT(advice("Cannot find key for us@REALM kvno 3 in keytab (request ticket server us@REALM)"),
              HasSubstr("--rpc_keytab has old keys of us@REALM"));
  EXPECT_THAT(advice("Decrypt integrity check failed"), HasSubstr("--rpc_keytab has old keys of us@REALM"));
  EXPECT_THAT(advice("Can't open/find replay cache"), HasSubstr("KRB5RCACHEDIR"));
  EXPECT_EQ(advice("something else"), "something else");
}

}  // namespace
}  // namespace fensi::capture
