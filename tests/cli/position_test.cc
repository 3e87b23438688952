#include "cli/access/position.h"

#include <gtest/gtest.h>

namespace fensi::cli {
namespace {

TEST(Position, IsEarliestLatestAnOffsetOrATime) {
  EXPECT_EQ(ParsePosition("earliest")->kind, Position::Kind::kEarliest);
  EXPECT_EQ(ParsePosition("latest")->kind, Position::Kind::kLatest);
  EXPECT_EQ(ParsePosition("42")->kind, Position::Kind::kOffset);
  EXPECT_EQ(ParsePosition("42")->value, 42);
  EXPECT_EQ(ParsePosition("1970-01-02")->kind, Position::Kind::kTime);
}

TEST(Position, ReadsTimesAsUtc) {
  for (const char* text : {"2026-01-31T12:00:00Z", "2026-01-31T12:00:00", "2026-01-31T12:00Z", "2026-01-31T12:00"}) {
    EXPECT_EQ(ParsePosition(text)->value, 1769860800000) << text;
  }
  EXPECT_EQ(ParsePosition("1970-01-02")->value, 86400000);
}

TEST(Position, RefusesWhatIsNone) {
  for (const char* text : {"", "first", "-1", "12x", "2026-02-30", "2026-13-01", "2026-01-31T25:00", "12:00"}) {
    EXPECT_EQ(ParsePosition(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(Position, ATimeMayBeANumberAndNothingElse) {
  EXPECT_EQ(*ParseTime("42", "--as_of"), 42);
  EXPECT_EQ(*ParseTime("1970-01-02", "--as_of"), 86400000);
  for (const char* text : {"latest", "earliest", "yesterday", ""}) {
    const Status refused = ParseTime(text, "--as_of").status();
    EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument) << text;
    EXPECT_EQ(refused.message().find("--as_of=" + std::string(text) + ": a time such as"), size_t{0});
  }
}

TEST(Position, IsNamedAsItWasGiven) {
  EXPECT_EQ(PositionText(*ParsePosition("42")), "offset 42");
  EXPECT_EQ(PositionText(*ParsePosition("2026-01-31T12:00Z")), "2026-01-31T12:00:00.000Z");
}

}  // namespace
}  // namespace fensi::cli
