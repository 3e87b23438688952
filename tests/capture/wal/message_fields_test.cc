#include "capture/wal/message_fields.h"

#include <gtest/gtest.h>

#include <random>

#include "proto/hbase_replication.pb.h"
#include "tests/capture/hbase_bytes.h"

namespace fensi::capture {
namespace {

TEST(MessageFields, AreThoseThatProtobufWrites) {
  proto::hbase::RequestHeader header;
  header.set_call_id(300);
  header.set_method_name("x");
  header.set_timeout(UINT32_MAX);
  const std::string bytes = header.SerializeAsString();
  MessageFields fields(bytes);
  ASSERT_TRUE(fields.Next());
  EXPECT_EQ(fields.number(), 1u);
  EXPECT_EQ(fields.varint(), 300u);
  ASSERT_TRUE(fields.Next());
  EXPECT_EQ(fields.number(), 3u);
  EXPECT_EQ(fields.bytes(), "x");
  ASSERT_TRUE(fields.Next());
  EXPECT_EQ(fields.varint(), UINT32_MAX);
  EXPECT_FALSE(fields.Next());
  EXPECT_TRUE(fields.whole());
}

TEST(MessageFields, ThatAreCutOrOfAnUnknownKindAreNotWhole) {
  const std::string bytes = BytesField(1, "abc");
  for (size_t cut = 1; cut < bytes.size(); ++cut) {
    MessageFields fields(std::string_view(bytes).substr(0, cut));
    EXPECT_FALSE(fields.Next());
    EXPECT_FALSE(fields.whole()) << cut;
  }
  for (const std::string& bad : {std::string("\x0b"), std::string("\x00\x01", 2), std::string(11, '\xff')}) {
    MessageFields fields(bad);
    EXPECT_FALSE(fields.Next());
    EXPECT_FALSE(fields.whole());
  }
}

TEST(MessageFields, OfAnyBytesAreNoMoreThanThoseThatProtobufTakes) {
  std::mt19937 random(7);
  int whole = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string bytes(random() % 12, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 24);
    MessageFields fields(bytes);
    while (fields.Next()) {
    }
    if (!fields.whole()) continue;
    ++whole;
    // A field that HBase's message has with another type is an unknown one for protobuf, too.
    EXPECT_TRUE(proto::hbase::ReplicationState().ParseFromString(bytes)) << i;
  }
  EXPECT_GT(whole, 1000);
}

}  // namespace
}  // namespace fensi::capture
