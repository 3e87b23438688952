#include "capture/rpc/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/bytes.h"
#include "tests/capture/hbase_bytes.h"
#include "tests/support/matchers.h"

namespace fensi::capture {
namespace {

std::string WithoutLength(const std::string& frame) { return frame.substr(4); }

TEST(Preamble, OfARegionServerWithoutSecurityIsTaken) { EXPECT_TRUE(CheckPreamble(FromHex("484261730050")).ok()); }

TEST(Preamble, OfKerberosAndTlsIsRefusedWithTheReason) {
  EXPECT_THAT(
      CheckPreamble(FromHex("484261730051")).message(),
      HasSubstr("wants Kerberos (hbase.security.authentication), and fensi speaks SIMPLE only: the peer's CONFIG "
                "needs \"hbase.security.authentication\" => \"simple\""));
  EXPECT_THAT(CheckPreamble(FromHex("160301020001")).message(), HasSubstr("TLS"));
  EXPECT_EQ(CheckPreamble(FromHex("484261730051")).code(), StatusCode::kConfiguration);
}

TEST(Preamble, OfSomebodyElseIsRefused) {
  EXPECT_THAT(CheckPreamble("GET / ").message(), HasSubstr("no region server: it began with GET / "));
  EXPECT_FALSE(CheckPreamble(FromHex("484261730150")).ok());
  EXPECT_FALSE(CheckPreamble(FromHex("484261730099")).ok());
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
              HasSubstr("remove hbase.replication.rpc.codec from hbase-site.xml of the region servers "
                        "and from the peer's CONFIG, or set it to org.apache.hadoop.hbase.codec."
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
              HasSubstr("'org.example.Codec' is not read here: remove hbase.replication.rpc.codec"));
  EXPECT_THAT(refusal(ConnectionHeaderBytes("")), HasSubstr("the cell codec '' is not read here"));
  EXPECT_THAT(refusal(ConnectionHeaderBytes("", "ClientService")), HasSubstr("service ClientService is not here"));
  const std::string good = "org.apache.hadoop.hbase.codec.KeyValueCodecWithTags";
  EXPECT_THAT(refusal(ConnectionHeaderBytes(good, "AdminService", "GzipCodec")),
              HasSubstr("remove hbase.client.rpc.compressor"));
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
