#include "store/hbase/wire/kerberos_session.h"

#include <gmock/gmock.h>

#include <cstdlib>

namespace fensi::store {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// The last challenge, as RFC 4121 writes it: header, four bytes of which the first has the layers, checksum; the two
/// behind the header turned right by `rotated`.
std::string Challenge(char layers, size_t rotated, char flags = 0) {
  std::string body = std::string(1, layers) + std::string("\x00\xff\xff", 3) + std::string(12, 'c');
  body = body.substr(body.size() - rotated) + body.substr(0, body.size() - rotated);
  const std::string header = {5, 4, flags, '\xff', 0, 12, 0, static_cast<char>(rotated), 0, 0, 0, 0, 0, 0, 0, 1};
  return header + body;
}

TEST(OfferedQops, AreReadFromTheLastChallenge) {
  for (const size_t rotated : {0, 12, 3}) {
    EXPECT_EQ(OfferedQops(Challenge(1, rotated)), "auth") << rotated;
    EXPECT_EQ(OfferedQops(Challenge(2, rotated)), "auth-int") << rotated;
    EXPECT_EQ(OfferedQops(Challenge(4, rotated)), "auth-conf") << rotated;
    EXPECT_EQ(OfferedQops(Challenge(7, rotated)), "auth, auth-int, auth-conf") << rotated;
  }
}

TEST(OfferedQops, AreNotGuessedFromWhatIsOfAnotherForm) {
  const std::string whole = Challenge(4, 0);
  for (size_t length = 0; length <= 16; ++length) EXPECT_EQ(OfferedQops(whole.substr(0, length)), "") << length;
  EXPECT_EQ(OfferedQops(Challenge(4, 0, /*flags: sealed=*/2)), "");
  EXPECT_EQ(OfferedQops("\x60" + whole), "") << "of an older form";
}

TEST(FaultOfKerberos, HasTheWordsOfGssapiAndTheCodeOfWhoIsAtFault) {
  const std::string before =
      "SASL(-1): generic failure: GSSAPI Error: Unspecified GSS failure.  Minor code may provide "
      "more information (";
  const Status away = FaultOfKerberos(before + "Cannot contact any KDC for realm 'BANK')", true);
  EXPECT_EQ(away.code(), StatusCode::kUnavailable);
  EXPECT_THAT(away.message(), HasSubstr("Cannot contact any KDC for realm 'BANK'. Check the hosts of the realm"));
  for (const char* words : {"Server hbase/gw@BANK not found in Kerberos database", "Clock skew too great",
                            "No Kerberos credentials available (default cache: MEMORY:fensi)"}) {
    const Status fault = FaultOfKerberos(before + words + ")", true);
    EXPECT_EQ(fault.code(), StatusCode::kPermission);
    EXPECT_THAT(fault.message(), StartsWith(words));
    EXPECT_NE(fault.message(), words) << "without a remedy";
  }
  EXPECT_EQ(FaultOfKerberos("SASL(-13): something else", true).message(), "SASL(-13): something else");
  const Status expired = FaultOfKerberos(before + "Ticket expired)", true);
  EXPECT_EQ(expired.code(), StatusCode::kUnavailable);
  EXPECT_THAT(expired.message(), HasSubstr("Ticket expired, and no KDC gave another ticket for the keytab. Check"));
  EXPECT_EQ(FaultOfKerberos(before + "Ticket expired)", false).code(), StatusCode::kPermission) << "kinit is needed";
}

TEST(KerberosSession, WithoutATicketOrKeytabSaysSo) {
  setenv("KRB5CCNAME", "FILE:/nowhere/tickets", 1);         // NOLINT(concurrency-mt-unsafe)
  setenv("KRB5_CLIENT_KTNAME", "FILE:/nowhere/keytab", 1);  // NOLINT(concurrency-mt-unsafe)
  setenv("KRB5_CONFIG", "/dev/null", 1);                    // NOLINT(concurrency-mt-unsafe)
  const auto session = MakeKerberosSession("hbase", "localhost", Qop::kAuthConf);
  const Result<std::string> said = session->Start();
  ASSERT_FALSE(said.ok());
  EXPECT_EQ(said.status().code(), StatusCode::kPermission) << said.status().ToString();
  EXPECT_THAT(said.status().message(), AnyOf(HasSubstr("credential"), HasSubstr("realm"), HasSubstr("tickets")));
  EXPECT_FALSE(session->done());
}

}  // namespace
}  // namespace fensi::store
