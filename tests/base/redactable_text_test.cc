#include "base/redactable_text.h"

#include <gtest/gtest.h>

#include "base/quoted.h"
#include "base/status.h"

namespace fensi {
namespace {

TEST(RedactableTextTest, WhatIsQuotedIsHiddenInOpenWordsAlone) {
  const RedactableText words =
      "row " + QuotedBytes("a\xFF") + " of " + std::string("t") + ", " + QuotedColumn("f", "q");
  EXPECT_EQ(words.all(), "row a\\xFF of t, f:q");
  EXPECT_EQ(words.open(), "row [hidden] of t, f:[hidden]");
}

TEST(RedactableTextTest, AnErrorKeepsWhatItQuotesUnderOtherCodesAndInContexts) {
  const Status status(StatusCode::kRejected, "row " + QuotedBytes("r") + ": too large");
  EXPECT_EQ(status.message(), "row r: too large");
  const Status other = status.As(StatusCode::kUnavailable).WithContext("put").WithContext("value " + QuotedBytes("v"));
  EXPECT_EQ(other.code(), StatusCode::kUnavailable);
  EXPECT_EQ(other.message(), "value v: put: row r: too large");
  EXPECT_EQ(other.words().open(), "value [hidden]: put: row [hidden]: too large");
  EXPECT_EQ(Status(other.code(), "again: " + other.words()).words().open(),
            "again: value [hidden]: put: row [hidden]: too large");
}

TEST(RedactableTextTest, AnErrorThatQuotesNothingIsOpenAsAWhole) {
  const Status status(StatusCode::kGap, "no such topic");
  EXPECT_EQ(status.words().open(), "no such topic");
  EXPECT_EQ(status.WithContext("index x").words().open(), "index x: no such topic");
  EXPECT_TRUE(Status().WithContext("x").ok());
  EXPECT_TRUE(Status().words().empty());
}

}  // namespace
}  // namespace fensi
