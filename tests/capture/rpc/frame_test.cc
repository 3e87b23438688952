#include "capture/rpc/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/capture/hbase_bytes.h"
#include "tests/support/matchers.h"

namespace fensi::capture {
namespace {

const std::string kSimple = FromHex("484261730050"), kKerberos = FromHex("484261730051");

std::string WithoutLength(const std::string& frame) { return frame.substr(4); }

TEST(Preamble, OfARegionServerWithoutSecurityIsTaken) { EXPECT_TRUE(CheckPreamble(kSimple, false).ok()); }

TEST(Preamble, OfKerberosIsTakenWhereItIsDemandedAndNoOther) {
  EXPECT_TRUE(CheckPreamble(kKerberos, true).ok());
  const Status unwanted = CheckPreamble(kKerberos, false), without = CheckPreamble(kSimple, true);
  EXPECT_EQ(unwanted.code(), StatusCode::kConfiguration);
  EXPECT_THAT(
      unwanted.message(),
      AllOf(HasSubstr("uses Kerberos, and this capture has no keytab"), HasSubstr("--rpc_keytab"),
            HasSubstr("set \"hbase.security.authentication\" => \"simple\" in the CONFIG of the replication peer")));
  EXPECT_EQ(without.code(), StatusCode::kConfiguration);
  EXPECT_THAT(without.message(), HasSubstr("uses no Kerberos, and this capture demands Kerberos (--rpc_keytab)"));
  for (const bool takes_kerberos : {false, true}) {
    EXPECT_THAT(CheckPreamble(FromHex("484261730052"), takes_kerberos).message(),
                HasSubstr("authenticates with a token"));
    EXPECT_THAT(CheckPreamble(FromHex("160301020001"), takes_kerberos).message(), HasSubstr("TLS"));
  }
}

TEST(Preamble, SaysWhetherTheOtherSideWaitsForAnAnswerOfSasl) {
  EXPECT_TRUE(SpeaksSasl(kKerberos) && SpeaksSasl(FromHex("484261730052")));
  EXPECT_FALSE(SpeaksSasl(kSimple) || SpeaksSasl("GET /Q"));
}

TEST(SaslAnswers, HaveTheFormThatHBaseReads) {
  EXPECT_EQ(SaslReply("ab"), FromHex("00000000 00000002") + "ab");
  const std::string thrown = "org.apache.hadoop.hbase.security.AccessDeniedException", why = "fensi capture: no";
  EXPECT_EQ(SaslRefusal("no"),
            FromHex("00000001") + BigEndian(thrown.size(), 4) + thrown + BigEndian(why.size(), 4) + why);
}

TEST(Preamble, OfSomebodyElseIsRefused) {
  for (const bool takes_kerberos : {false, true}) {
    EXPECT_THAT(CheckPreamble("GET / ", takes_kerberos).message(),
                HasSubstr("no region server: its first bytes are 'GET / '"));
    EXPECT_FALSE(CheckPreamble(FromHex("484261730150"), takes_kerberos).ok());
    EXPECT_FALSE(CheckPreamble(FromHex("484261730099"), takes_kerberos).ok());
  }
}

constexpr char kTagless[] = "org.apache.hadoop.hbase.codec.KeyValueCodec";

TEST(ConnectionHeader, OfHBaseIsTaken) {
  std::string about;
  ASSERT_TRUE(CheckConnectionHeader(WithoutLength(ConnectionHeaderBytes()), &about).ok());
  EXPECT_EQ(about, "HBase 2.6.1, user hbase");
}

TEST(ConnectionHeader, OfACodecThatLeavesOutTagsIsRefusedWhereCellsCome) {
  std::string about;
  const Status status = CheckConnectionHeader(WithoutLength(ConnectionHeaderBytes(kTagless)), &about);
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(),
              HasSubstr("KeyValueCodec' leaves out the tags of cells, which hold their time to live"));
  EXPECT_THAT(status.message(),
              HasSubstr("Remove hbase.replication.rpc.codec from hbase-site.xml of the region servers "
                        "and from the CONFIG of the replication peer, or set it to org.apache.hadoop.hbase.codec."
                        "KeyValueCodecWithTags"));
  const std::string master = ConnectionHeaderBytes(kTagless, "MasterService");
  EXPECT_TRUE(CheckConnectionHeader(WithoutLength(master), &about).ok()) << "no cells come to a master";
}

TEST(ConnectionHeader, ForAnotherServiceCodecOrCompressionIsRefusedWithTheRemedy) {
  std::string about;
  const auto refusal = [&](const std::string& header) {
    const Status status = CheckConnectionHeader(WithoutLength(header), &about);
    EXPECT_EQ(status.code(), StatusCode::kConfiguration);
    return status.message();
  };
  EXPECT_THAT(refusal(ConnectionHeaderBytes("org.example.Codec")),
              HasSubstr("'org.example.Codec' is not supported. Remove hbase.replication.rpc.codec"));
  EXPECT_THAT(refusal(ConnectionHeaderBytes("")), HasSubstr("the cell codec '' is not supported"));
  EXPECT_THAT(refusal(ConnectionHeaderBytes("", "ClientService")),
              HasSubstr("requests RPC service ClientService, which a capture does not have"));
  const std::string good = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags";
  EXPECT_THAT(refusal(ConnectionHeaderBytes(good, "AdminService", "GzipCodec")),
              HasSubstr("Remove hbase.client.rpc.compressor"));
  EXPECT_THAT(refusal(ConnectionHeaderBytes(good) + BytesField(6, "AES/CTR/NoPadding")),
              HasSubstr("Set hbase.rpc.crypto.encryption.aes.enabled to false in the CONFIG of the replication peer"));
  EXPECT_EQ(CheckConnectionHeader("\xff\xff", &about).code(), StatusCode::kInvalidArgument);
}

TEST(CallFrame, IsReadAsHBaseWritesIt) {
  const std::string header =
      FromHex("23 0801 1200 1a11") + "ReplicateWALEntry" + FromHex("2001 2a02 081e 3000 38e0d403");
  const std::string cells(30, 'c');
  const std::string frame = header + FromHex("02 1000") + cells;
  CallFrame call;
  ASSERT_TRUE(ParseCallFrame(frame, &call).ok());
  EXPECT_EQ(call.call_id, 1u);
  EXPECT_EQ(call.method, "ReplicateWALEntry");
  EXPECT_EQ(call.timeout, std::chrono::milliseconds(60'000));
  EXPECT_EQ(call.request, FromHex("1000"));
  EXPECT_EQ(call.cells, cells);
}

TEST(CallFrame, ThatIsCutAnywhereIsRefused) {
  const std::string frame = WithoutLength(CallBytes(3, {Entry{.cells = {{"a", Put("b", "c")}}}}));
  CallFrame call;
  ASSERT_TRUE(ParseCallFrame(frame, &call).ok());
  for (size_t length = 0; length < frame.size(); ++length) {
    const std::string half = frame.substr(0, length);
    EXPECT_EQ(ParseCallFrame(half, &call).code(), StatusCode::kInvalidArgument) << length;
  }
  EXPECT_FALSE(ParseCallFrame(frame + "x", &call).ok());
}

TEST(Reply, OfSuccessNamesTheCallEvenWhenItIsTheFirst) {
  EXPECT_EQ(SuccessReply(1), FromHex("00000004 02 0801 00"));
  EXPECT_EQ(SuccessReply(0), FromHex("00000004 02 0800 00"));
}

TEST(Reply, OfAFailureIsAnIoExceptionWithTheReason) {
  const std::string reply = ExceptionReply(5, "Kafka is away");
  EXPECT_EQ(ReadBigEndian32(reply), reply.size() - 4);
  EXPECT_THAT(reply, HasSubstr("java.io.IOException"));
  EXPECT_THAT(reply, HasSubstr("Kafka is away"));
  EXPECT_THAT(FatalReply("no"), HasSubstr("FatalConnectionException"));
}

}  // namespace
}  // namespace fensi::capture
