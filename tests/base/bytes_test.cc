#include "base/bytes.h"

#include <gtest/gtest.h>

namespace fensi {
namespace {

TEST(Escape, LeavesPrintableAsciiAndEscapesTheRest) {
  EXPECT_EQ(Escape("a b~"), "a b~");
  EXPECT_EQ(Escape(std::string("\0\xff\\\x7f", 4)), "\\x00\\xFF\\x5C\\x7F");
}

TEST(Escape, IsUndoneByUnescapeForEveryByte) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  const Result<std::string> back = Unescape(Escape(all));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, all);
}

TEST(Unescape, TakesUtf8AsItIs) { EXPECT_EQ(*Unescape("粉丝"), "粉丝"); }

TEST(Unescape, RefusesABackslashThatStartsNoEscape) {
  for (const char* text : {"\\", "\\x", "\\x4", "\\xzz", "\\n", "a\\q00"}) {
    const Result<std::string> bytes = Unescape(text);
    EXPECT_EQ(bytes.status().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_NE(bytes.status().message().find("\\x5C"), std::string::npos) << text;
  }
}

TEST(PrefixEnd, IsTheSmallestStringAboveThePrefix) {
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("a\xff\xff"), "b");
  EXPECT_EQ(PrefixEnd("\xff"), "");
  EXPECT_EQ(PrefixEnd(""), "");
}

TEST(SplitColumn, SplitsAtTheFirstColonOnly) {
  EXPECT_EQ(SplitColumn("f1:a:b").qualifier, "a:b");
  EXPECT_FALSE(SplitColumn("f1").has_qualifier);
  EXPECT_TRUE(SplitColumn("f1:").has_qualifier);
}

TEST(BigEndian, AgreesWithBytesToBytes) {
  std::string out;
  AppendBigEndian64(-2, &out);
  EXPECT_EQ(out, std::string("\xff\xff\xff\xff\xff\xff\xff\xfe", 8));
  EXPECT_EQ(ReadBigEndian64(out), -2);
}

}  // namespace
}  // namespace fensi
