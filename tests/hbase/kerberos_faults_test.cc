// What a failed login says, from the words of MIT's library; and the tokens of SASL's handshake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "hbase/security/gss.h"
#include "hbase/security/kerberos_client.h"

namespace fensi::hbase {
namespace {

using ::testing::HasSubstr;

TEST(FaultOfLogin, NamesTheRemedyOfEachCause) {
  const struct {
    const char* words;
    const char* advice;
  } cases[] = {
      {"Server nobody/rs1@BANK not found in Kerberos database", "--store_kerberos_service must name the principal"},
      {"Client 'fensi@BANK' not found in Kerberos database", "does not know the principal of the ticket"},
      {"Clock skew too great", "the clocks of this machine and of the KDC or the server differ"},
      {"Ticket expired", "run kinit, or give --kerberos_keytab"},
      {"No Kerberos credentials available (default cache: FILE:/tmp/krb5cc_0)", "run kinit"},
      {"Preauthentication failed", "--kerberos_keytab has old keys"},
      {"Decrypt integrity check failed", "--kerberos_keytab has old keys"}};
  for (const auto& one : cases) {
    const Status status = FaultOfLogin(one.words, "nobody/rs1@BANK", /*has_keytab=*/false);
    EXPECT_EQ(status.code(), StatusCode::kPermission) << one.words;
    EXPECT_THAT(status.message(), HasSubstr(one.words));
    EXPECT_THAT(status.message(), HasSubstr(one.advice)) << one.words;
  }
}

TEST(FaultOfLogin, IsUnavailableIfNoKdcAnswers) {
  EXPECT_EQ(FaultOfLogin("Cannot contact any KDC for realm 'BANK'", "s", false).code(), StatusCode::kUnavailable);
  EXPECT_EQ(FaultOfLogin("Ticket expired", "s", /*has_keytab=*/true).code(), StatusCode::kUnavailable);
}

TEST(FaultOfLogin, OfAnUnknownCauseIsTheLibrarysText) {
  const Status status = FaultOfLogin("Something else", "s", false);
  EXPECT_EQ(status.message(), "Kerberos: login to s: Something else");
}

TEST(SaslLayers, AreReadAsTheyAreWritten) {
  const std::string token = WrittenLayers({.qops = 6, .most_bytes = 0x010203, .acts_for = "anna"});
  EXPECT_EQ(token, std::string("\x06\x01\x02\x03"
                               "anna"));
  SaslLayers read;
  ASSERT_TRUE(ReadLayers(token, &read));
  EXPECT_EQ(read.qops, 6);
  EXPECT_EQ(read.most_bytes, 0x010203u);
  EXPECT_EQ(read.acts_for, "anna");
  EXPECT_FALSE(ReadLayers("\x01\x02\x03", &read));
}

TEST(Protections, AreNamedAsInHBase) {
  EXPECT_EQ(ProtectionNames(7), "authentication, integrity, privacy");
  EXPECT_EQ(ProtectionNames(2), "integrity");
  EXPECT_EQ(ProtectionNames(0), "");
}

}  // namespace
}  // namespace fensi::hbase
