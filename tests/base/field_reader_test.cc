// The bytes of a protobuf message, field by field; what the readers of whole messages make of any bytes is compared
// with protobuf's own in codec_property_test and indexer_state_test.
#include "base/field_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "proto/change_event.pb.h"

namespace fensi {
namespace {

/// "field:what" for each, and "bad" where the bytes are no message.
std::string Fields(std::string_view bytes) {
  FieldReader in(bytes);
  std::string fields;
  while (in.Next()) {
    const auto field = static_cast<int>(in.tag() >> 3);
    fields += std::to_string(field) + ":";
    if (in.tag() == FieldReader::Number(field)) fields += std::to_string(in.number());
    if (in.tag() == FieldReader::Length(field)) fields += in.bytes();
    fields += " ";
  }
  return fields + (in.ok() ? "" : "bad");
}

TEST(FieldReader, TellsEachFieldAsItStandsThere) {
  EXPECT_EQ(Fields(""), "");
  EXPECT_EQ(Fields("\x08\x96\x01\x12\x02"
                   "ab\x12"),
            "1:150 2:ab bad");
  EXPECT_EQ(Fields(std::string("\x12\x00\x08\x00", 4)), "2: 1:0 ");
  EXPECT_EQ(Fields("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "1:18446744073709551615 ");
}

TEST(FieldReader, PassesOverFixedNumbers) {
  EXPECT_EQ(Fields("\x09"
                   "12345678\x15"
                   "1234\x18\x07"),
            "1: 2: 3:7 ");
}

TEST(FieldReader, ReadsNoByteBehindTheEnd) {
  for (const std::string_view cut : {"\x08", "\x08\x96",
                                     "\x12\x03"
                                     "ab",
                                     "\x09"
                                     "1234567",
                                     "\x15"
                                     "123",
                                     "\x80"}) {
    EXPECT_EQ(Fields(cut), "bad") << cut;
  }
  EXPECT_EQ(Fields("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                   "ab"),
            "bad");
}

TEST(FieldReader, RefusesWhatIsNoField) {
  EXPECT_EQ(Fields(std::string("\x00\x01", 2)), "bad") << "fields count from 1";
  EXPECT_EQ(Fields("\x0b\x0c"), "bad") << "a group";
  EXPECT_EQ(Fields("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "bad") << "more than ten bytes";
  EXPECT_EQ(Fields(std::string("\x88\x80\x80\x80\x80\x00\x01", 7)), "bad") << "more than five bytes of a tag";
}

TEST(FieldReader, ReadsPackedNumbersToTheirEnd) {
  FieldReader in("\x01\x96\x01");
  ASSERT_TRUE(in.NextPacked());
  EXPECT_EQ(in.number(), 1u);
  ASSERT_TRUE(in.NextPacked());
  EXPECT_EQ(in.number(), 150u);
  EXPECT_FALSE(in.NextPacked());
  EXPECT_TRUE(in.ok());
  FieldReader cut("\x96");
  EXPECT_FALSE(cut.NextPacked());
  EXPECT_FALSE(cut.ok());
}

TEST(FieldReader, ReadsTheEightBytesOfAFixedNumber) {
  FieldReader in("\x09\x01\x02\x03\x04\x05\x06\x07\xff");
  ASSERT_TRUE(in.Next());
  EXPECT_EQ(in.tag(), FieldReader::Fixed64(1));
  EXPECT_EQ(in.number(), 0xff07060504030201u);
}

TEST(FieldReader, StaysBrokenBehindAFault) {
  FieldReader in("\x0b\x08\x01");
  EXPECT_FALSE(in.Next());
  EXPECT_FALSE(in.Next());
  EXPECT_FALSE(in.ok());
}

TEST(FieldReader, OfAnyBytesTakesNoMoreThanProtobuf) {
  std::mt19937 random(7);
  int good = 0;
  for (int i = 0; i < 200'000; ++i) {
    std::string bytes(random() % 12, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 4 == 0 ? random() : random() % 24);
    FieldReader in(bytes);
    while (in.Next()) {
    }
    if (!in.ok()) continue;
    ++good;
    // A field that the message has with another type is an unknown one for protobuf, too.
    EXPECT_TRUE(proto::CellTag().ParseFromString(bytes)) << i;
  }
  EXPECT_GT(good, 1000);
}

}  // namespace
}  // namespace fensi
