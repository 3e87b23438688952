#include "operations/access/position.h"

#include <gtest/gtest.h>

namespace fensi::operations {
namespace {

TEST(Position, IsEarliestLatestAnOffsetOrATime) {
  EXPECT_EQ(ParsePosition("earliest")->kind, Position::Kind::kEarliest);
  EXPECT_EQ(ParsePosition("latest")->kind, Position::Kind::kLatest);
  EXPECT_EQ(ParsePosition("42")->kind, Position::Kind::kOffset);
  EXPECT_EQ(ParsePosition("42")->value, 42);
  EXPECT_EQ(ParsePosition("1970-01-02")->kind, Position::Kind::kTime);
}

TEST(Position, ReadsTimesAsUtc) {
  for (const char* text : {"2026-01-31T12:00:00Z", "2026-01-31T12:00:00", "2026-01-31T12:00Z", "2026-01-31T12:00",
                           "2026-01-31T12:00:00.000Z"}) {
    EXPECT_EQ(ParsePosition(text)->value, 1769860800000) << text;
  }
  EXPECT_EQ(ParsePosition("1970-01-02")->value, 86400000);
}

TEST(Position, ReadsTimesAtAnOffset) {
  for (const char* text : {"2026-01-31T20:00:00+08:00", "2026-01-31T20:00+08:00", "2026-01-31T06:30-05:30"}) {
    EXPECT_EQ(ParsePosition(text)->value, 1769860800000) << text;
  }
  EXPECT_EQ(ParsePosition("1970-01-02+01:00")->value, 82800000);
}

TEST(Position, IsNowOrSomeTimeAgo) {
  constexpr int64_t kNow = 1'769'860'800'000;
  EXPECT_EQ(ParseAgo("now", kNow), kNow);
  for (const auto& [text, seconds] : {std::pair("-90s", 90), std::pair("-15m", 900), std::pair("-2h", 7200),
                                      std::pair("-1d", 86400), std::pair("-1w", 604800), std::pair("-0s", 0)}) {
    EXPECT_EQ(ParseAgo(text, kNow), kNow - int64_t{seconds} * 1000) << text;
  }
  for (const char* text : {"", "-", "-d", "-1", "1d", "--1d", "-1y", "-1 d", "-1.5d", "-99999999999w", "now-1d"}) {
    EXPECT_EQ(ParseAgo(text, kNow), std::nullopt) << text;
  }
  EXPECT_EQ(ParsePosition("now")->kind, Position::Kind::kTime);
  EXPECT_LT(ParsePosition("-1d")->value, ParsePosition("now")->value);
}

TEST(Position, RefusesWhatIsNone) {
  for (const char* text :
       {"2026-01-31T12:00+25:00", "2026-01-31T12:00+8:00", "2026-01-31T12:00 08:00", "", "first", "-1", "12x",
        "2026-02-30", "2026-13-01", "2026-01-31T25:00", "12:00", "2026-01-31T12:00:00Z+08:00", "1969-12-31"}) {
    EXPECT_EQ(ParsePosition(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(Position, ATimeMayBeANumberAndNothingElse) {
  EXPECT_EQ(*ParseTime("42", "--as_of"), 42);
  EXPECT_EQ(*ParseTime("1970-01-02", "--as_of"), 86400000);
  for (const char* text : {"latest", "earliest", "yesterday", ""}) {
    const Status refused = ParseTime(text, "--as_of").status();
    EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(refused.message().find("--as_of=" + std::string(text) + " is no time. Write a time such as"), size_t{0});
  }
}

TEST(Position, IsNamedAsItWasGiven) {
  EXPECT_EQ(PositionText(*ParsePosition("42")), "offset 42");
  EXPECT_EQ(PositionText(*ParsePosition("2026-01-31T12:00Z")), "2026-01-31T12:00:00.000Z");
}

}  // namespace
}  // namespace fensi::operations
