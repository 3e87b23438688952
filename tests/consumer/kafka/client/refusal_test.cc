#include "consumer/kafka/client/refusal.h"

#include <gtest/gtest.h>

#include <string>

#include "consumer/kafka/client/client_config.h"
#include "tests/doubles/fake_clock.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class RefusalTest : public ::testing::Test {
 protected:
  void Refuse() { refusal_.Note(RD_KAFKA_RESP_ERR__AUTHENTICATION, "wrong password"); }
  bool Lasts() const { return !refusal_.DurationRefused(milliseconds(1000)).ok(); }

  FakeClock clock_;
  Refusal refusal_{&clock_};
};

TEST_F(RefusalTest, LastsFromItsFirstWordOn) {
  EXPECT_FALSE(Lasts());
  Refuse();
  clock_.Advance(milliseconds(999));
  Refuse();
  EXPECT_FALSE(Lasts());
  clock_.Advance(milliseconds(1));
  EXPECT_EQ(refusal_.DurationRefused(milliseconds(1000)).code(), StatusCode::kPermission);
}

TEST_F(RefusalTest, BeginsAnewWhenABrokerHasAnswered) {
  Refuse();
  clock_.Advance(milliseconds(5000));
  refusal_.Over();
  EXPECT_FALSE(Lasts());
  Refuse();
  clock_.Advance(milliseconds(999));
  EXPECT_FALSE(Lasts());
  clock_.Advance(milliseconds(1));
  EXPECT_TRUE(Lasts());
}

TEST_F(RefusalTest, IsNoneWhereABrokerIsOnlyAway) {
  refusal_.Note(RD_KAFKA_RESP_ERR__TRANSPORT, "Connection refused");
  clock_.Advance(milliseconds(5000));
  EXPECT_FALSE(Lasts());
}

TEST_F(RefusalTest, IsNoneWhereTheServerOfTicketsIsAway) {
  refusal_.Note(RD_KAFKA_RESP_ERR__AUTHENTICATION, "GSSAPI Error: (Cannot contact any KDC for realm 'BANK')");
  EXPECT_TRUE(refusal_.status().ok());
  const Status call = refusal_.Explain(Status(StatusCode::kUnavailable, "no answer"));
  EXPECT_EQ(call.code(), StatusCode::kUnavailable);
  EXPECT_NE(call.message().find("KDC"), std::string::npos) << call.message();
}

TEST_F(RefusalTest, IsNoneWhereAKeytabIsThereAndItsTicketHasExpired) {
  const char* expired = "SASL handshake failed: GSSAPI Error: (Ticket expired) (after 1ms in state AUTH_REQ)";
  refusal_.Note(RD_KAFKA_RESP_ERR__AUTHENTICATION, expired);
  EXPECT_EQ(refusal_.status().code(), StatusCode::kPermission) << "kinit is needed";
  refusal_.Over();
  setenv("KRB5_CLIENT_KTNAME", "FILE:/nowhere/keytab", 1);  // NOLINT(concurrency-mt-unsafe)
  refusal_.Note(RD_KAFKA_RESP_ERR__AUTHENTICATION, expired);
  EXPECT_TRUE(refusal_.status().ok());
  const Status call = refusal_.Explain(Status(StatusCode::kUnavailable, "no answer"));
  EXPECT_NE(call.message().find("and no KDC gave another ticket for the keytab"), std::string::npos) << call.message();
  unsetenv("KRB5_CLIENT_KTNAME");  // NOLINT(concurrency-mt-unsafe)
}

TEST_F(RefusalTest, OfScramNamesTheLibraryThatMayBeAtFault) {
  const auto says = [this](const std::string& reason) {
    Refusal refusal(&clock_);
    refusal.Note(RD_KAFKA_RESP_ERR__AUTHENTICATION, reason.c_str());
    return refusal.status().message().find("install librdkafka 2.6.1 or newer") != std::string::npos;
  };
  EXPECT_EQ(says("invalid credentials with SASL mechanism SCRAM-SHA-256"), ScramIsWrong());
  EXPECT_FALSE(says("invalid credentials with SASL mechanism PLAIN"));
}

TEST_F(RefusalTest, OfAMechanismSaysWhatTheListenerOffers) {
  const auto refused = [this](const std::string& reason) {
    Refusal refusal(&clock_);
    refusal.Note(RD_KAFKA_RESP_ERR__AUTHENTICATION, reason.c_str());
    return refusal.status();
  };
  const std::string begin =
      "sasl_plaintext://b:9092/bootstrap: SASL SCRAM-SHA-256 mechanism handshake failed: Broker: ";
  const Status none =
      refused(begin + "Request not valid in current SASL state: broker's supported mechanisms:  (after 2ms)");
  EXPECT_EQ(none.code(), StatusCode::kConfiguration);
  EXPECT_NE(none.message().find("takes no SASL"), std::string::npos) << none.message();
  EXPECT_EQ(none.message().find("upgrade"), std::string::npos) << none.message();
  EXPECT_EQ(none.message().find("librdkafka 2.6.1"), std::string::npos) << none.message();
  const Status other =
      refused(begin + "Unsupported SASL mechanism: broker's supported mechanisms: PLAIN,GSSAPI (after 2ms)");
  EXPECT_EQ(other.code(), StatusCode::kConfiguration);
  EXPECT_NE(other.message().find("offers: PLAIN,GSSAPI"), std::string::npos) << other.message();
}

TEST_F(RefusalTest, IsOneOfWrongCertificatesWhateverCodeTheyComeUnder) {
  for (const int code : {RD_KAFKA_RESP_ERR__SSL, RD_KAFKA_RESP_ERR__TRANSPORT}) {
    Refusal refusal(&clock_);
    refusal.Note(code, "ssl://broker:9093/1: certificate verify failed: unexpected eof");
    EXPECT_EQ(refusal.status().code(), StatusCode::kConfiguration) << code;
    EXPECT_NE(refusal.status().message().find("ssl.ca.location"), std::string::npos) << refusal.status().message();
    EXPECT_NE(refusal.status().message().find("has expired"), std::string::npos) << refusal.status().message();
  }
}

}  // namespace
}  // namespace fensi::consumer
