#include "base/bytes.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace fensi {
namespace {

TEST(Escape, LeavesPrintableAsciiAndEscapesTheRest) {
  EXPECT_EQ(Escape("a b~"), "a b~");
  EXPECT_EQ(Escape(std::string("\0\xff\\\x7f", 4)), "\\x00\\xFF\\x5C\\x7F");
}

TEST(Escape, ShowsTextAsText) {
  EXPECT_EQ(Escape("关注 → 粉丝, café, 😀"), "关注 → 粉丝, café, 😀");
  EXPECT_EQ(EscapeAscii("é~"), "\\xC3\\xA9~");
  EXPECT_EQ(ColumnText("f", "名"), "f:名");
  EXPECT_EQ(ColumnAscii("f", "é"), "f:\\xC3\\xA9");
}

TEST(Escape, WritesWhatIsNoTextOrCannotBeSeenAsBytes) {
  EXPECT_EQ(Escape("\xE5\x85"), "\\xE5\\x85") << "half a character";
  EXPECT_EQ(Escape("\x80关\xE5"), "\\x80关\\xE5");
  EXPECT_EQ(Escape("\xC0\xAF"), "\\xC0\\xAF") << "a slash in two bytes";
  EXPECT_EQ(Escape("\xE0\x80\xAF"), "\\xE0\\x80\\xAF") << "a slash in three bytes";
  EXPECT_EQ(Escape("\xED\xA0\x80"), "\\xED\\xA0\\x80") << "a surrogate";
  EXPECT_EQ(Escape("\xF4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80") << "above Unicode";
  for (const char* unseen :
       {"\u0085", "\u00A0", "\u00AD", "\u200B", "\u200D", "\u202E", "\u2066", "\uFE0F", "\uFEFF"}) {
    EXPECT_EQ(Escape(unseen), EscapeAscii(unseen));
  }
}

TEST(Escape, IsUndoneByUnescapeForEveryByte) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  const Result<std::string> back = Unescape(Escape(all));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(*back, all);
}

TEST(Escape, IsUndoneByUnescapeWhateverStandsTogether) {
  const std::vector<std::string> pieces = {
      "\\",   "\\x",          "\\x41", "x5C",     "\xE5",   "\x85",   "\xB3",
      "关",   "\xF0\x9F\x98", "😀",     "e\u0301", "\u202E", "\u200D", std::string(1, '\0'),
      "\x1B", "\xFF",         "a"};
  std::mt19937 random(7);
  std::map<std::string, std::string> shown;
  for (int i = 0; i < 50'000; ++i) {
    std::string bytes;
    for (unsigned left = random() % 6; left > 0; --left) {
      bytes += random() % 3 == 0 ? std::string(1, static_cast<char>(random())) : pieces[random() % pieces.size()];
    }
    EXPECT_EQ(*Unescape(Escape(bytes)), bytes);
    EXPECT_EQ(*Unescape(EscapeAscii(bytes)), bytes);
    EXPECT_EQ(shown.emplace(Escape(bytes), bytes).first->second, bytes) << "two that look the same";
  }
}

TEST(EscapeSome, ClipsAndSaysHowManyThereAre) {
  EXPECT_EQ(EscapeSome("ab\n", 3), "ab\\x0A");
  EXPECT_EQ(EscapeSome("ab\n", 2), "ab… (3 bytes)");
  EXPECT_EQ(EscapeSome("关注", 5), "关… (6 bytes)") << "no character is cut";
  EXPECT_EQ(EscapeSome("\x80\x80\x80\x80\x80", 4), "\\x80… (5 bytes)");
}

TEST(Unescape, TakesUtf8AsItIs) { EXPECT_EQ(*Unescape("粉丝"), "粉丝"); }

TEST(Unescape, RefusesABackslashThatStartsNoEscape) {
  for (const char* text : {"\\", "\\x", "\\x4", "\\xzz", "\\n", "a\\q00"}) {
    const Result<std::string> bytes = Unescape(text);
    EXPECT_EQ(bytes.status().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_NE(bytes.status().message().find("\\x5C"), std::string::npos) << text;
  }
}

TEST(FirstCharacters, AreNeverCutWithin) {
  const std::string text = "a\u4e2d\U0001f600z";  // 1, 3, 4 and 1 bytes
  const size_t whole[] = {0, 1, 1, 1, 4, 4, 4, 4, 8, 9, 9};
  for (size_t most = 0; most < std::size(whole); ++most) {
    EXPECT_EQ(FirstCharacters(text, most), text.substr(0, whole[most])) << most;
  }
  EXPECT_EQ(FirstCharacters("\x80\x80\x80\x80\x80", 4).size(), 1u) << "bytes that are no text";
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
