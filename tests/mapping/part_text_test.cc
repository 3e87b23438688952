// Parts of row keys as people write and read them: numbers that the source holds in bytes in digits, all else as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
#include "mapping/instant.h"
#include "mapping/lookup.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

std::shared_ptr<const Index> IndexWithRow(const std::string& row) {
  return LoadIndex({"row: '" + row + "'", "columns: { 'f:{row}': '{f:y | u16 | decimal}' }"});
}

TEST(PartText, DigitsAreTheNumberThatTheSourceHoldsInBytes) {
  const auto index = IndexWithRow("{f:x | i64 | ordered}{f:z}");
  EXPECT_EQ(Escape(*PartBytes(*index, 0, "42")), "\\x00\\x00\\x00\\x00\\x00\\x00\\x00*");
  EXPECT_EQ(Escape(*PartBytes(*index, 0, "-1")), "\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF");
  EXPECT_EQ(*PartBytes(*index, 1, "42"), "42") << "text";
  EXPECT_EQ(*PartBytes(*index, 2, "42"), "42") << "not a part: whoever encodes it says so";
}

TEST(PartText, BytesAreTakenAsTheyAreAndTextsThatAreNoNumberAreRefused) {
  const auto index = IndexWithRow("{f:x | i64 | ordered}");
  for (const char* typed : {"", "四", "\x01\x02\x03\x04\x05\x06\x07\x08"}) {
    EXPECT_EQ(*PartBytes(*index, 0, typed), typed);
  }
  for (const char* typed : {"-", "+4", "4 ", "0x1", "1e3", "eight by"}) {
    EXPECT_THAT(PartBytes(*index, 0, typed).status().message(), HasSubstr("is read by i64")) << typed;
  }
}

TEST(PartText, ANumberThatDoesNotFitIsRefused) {
  for (const auto& [row, typed] :
       {std::pair("{f:x | i8 | ordered 1}", "128"), std::pair("{f:x | u8 | to_be 1}", "256"),
        std::pair("{f:x | u8 | to_be 1}", "-1"), std::pair("{f:x | i64 | ordered}", "9223372036854775808"),
        std::pair("{f:x | i32 | ordered 4}", "4294967296")}) {
    const Result<std::string> bytes = PartBytes(*IndexWithRow(row), 0, typed);
    EXPECT_EQ(bytes.status().code(), StatusCode::kInvalidArgument) << row << " " << typed;
    EXPECT_THAT(bytes.status().message(), HasSubstr("is out of range for"));
  }
}

TEST(PartText, BytesThatAreNoSuchNumberAreText) {
  const auto index = IndexWithRow("{f:x | i64 | ordered}{row}");
  EXPECT_EQ(PartNumber(*index, {"f:x", "short"}), std::nullopt);
  EXPECT_EQ(PartNumber(*index, {"row", "eight by"}), std::nullopt);
  EXPECT_EQ(PartNumber(*index, {"f:y", std::string("\x01\x02", 2)}), 258) << "known by a column alone";
  EXPECT_EQ(PartNumber(*index, {"f:other", std::string(8, 'x')}), std::nullopt);
}

TEST(PartText, WhatIsShownIsTakenBack) {
  std::mt19937_64 random(7);
  for (const auto& [name, width] :
       {std::pair("i64", 8), std::pair("i32", 4), std::pair("i16", 2), std::pair("i8", 1), std::pair("u64", 8),
        std::pair("u32", 4), std::pair("u16", 2), std::pair("u8", 1)}) {
    const auto index = IndexWithRow(std::string("{f:x | ") + name + " | ordered}");
    for (int i = 0; i < 1000; ++i) {
      std::string bytes;
      for (int byte = 0; byte < width; ++byte) bytes.push_back(static_cast<char>(random() % 3 == 0 ? 0xff : random()));
      const std::optional<int64_t> number = PartNumber(*index, {"f:x", bytes});
      if (!number) continue;  // a u64 above the largest signed number
      EXPECT_EQ(*PartBytes(*index, 0, std::to_string(*number)), bytes) << name << " " << *number;
    }
  }
}

TEST(PartTime, IsShownAndTypedWhereSomeTemplateReadsIt) {
  const auto in_ms = IndexWithRow("{f:x | int | from_ms | time %Y%m%d}{f:z}");
  EXPECT_EQ(PartTime(*in_ms, {"f:x", "1482125382074"}), 1482125382074);
  EXPECT_EQ(*PartBytes(*in_ms, 0, "2016-12-19T05:29:42.074Z"), "1482125382074");
  EXPECT_EQ(*PartBytes(*in_ms, 0, "2016-12-19T13:29:42.074+08:00"), "1482125382074");
  EXPECT_EQ(*PartBytes(*in_ms, 0, "1482125382074"), "1482125382074");
  EXPECT_EQ(*PartBytes(*in_ms, 1, "2016-12-19"), "2016-12-19") << "text";
  const auto in_seconds = IndexWithRow("{f:x | i32 | from_s | seconds | ordered}");
  EXPECT_EQ(PartTime(*in_seconds, {"f:x", std::string("\x58\x57\x23\x00", 4)}), 1482105600000);
  EXPECT_EQ(Escape(*PartBytes(*in_seconds, 0, "2016-12-19")), "XW#\\x00");
  EXPECT_THAT(PartBytes(*in_seconds, 0, "2016-12-19T00:00:00.001").status().message(),
              HasSubstr("is not a multiple of this unit"));
  EXPECT_THAT(PartBytes(*in_seconds, 0, "2116-12-19").status().message(), HasSubstr("does not fit"));
  EXPECT_EQ(PartTime(*IndexWithRow("{f:x@ts | time %Y}"), {"f:x@ts", "5"}), 5);
}

TEST(PartTime, IsNoneThatCouldNotBeTypedBack) {
  const auto in_ms = IndexWithRow("{f:x | int | from_ms | time %Y%m%d}");
  for (const char* value : {"", "0007", "+7", "abc", "999999999999999999"}) {
    EXPECT_EQ(PartTime(*in_ms, {"f:x", value}), std::nullopt) << value;
  }
  EXPECT_EQ(PartTime(*IndexWithRow("{f:x | int | decimal 13}"), {"f:x", "7"}), std::nullopt) << "a number";
  EXPECT_EQ(PartTime(*IndexWithRow("{f:x | split - 0 | int | from_ms | time %Y}"), {"f:x", "7-a"}), std::nullopt);
  EXPECT_EQ(PartTime(*IndexWithRow("{f:x | parse_time %Y%m%d | time %Y}"), {"f:x", "20161219"}), std::nullopt)
      << "it is written as one";
}

TEST(PartTime, WhatIsShownIsTakenBack) {
  std::mt19937_64 random(11);
  constexpr int64_t kUnits[] = {1, 1000, 60'000, 3'600'000, 86'400'000};
  for (const char* row : {"{f:x | int | from_ms | time %Y}", "{f:x | i64 | from_ms | seconds | ordered}",
                          "{f:x | u64 | from_ms | seconds | ordered}", "{f:x@ts | time %Y}"}) {
    const auto index = IndexWithRow(row);
    for (int i = 0; i < 1000; ++i) {
      const int64_t unit = kUnits[random() % 5];
      const auto millis = static_cast<int64_t>(random() % 253'402'300'800'000) / unit * unit;
      const std::string text = *FormatInstant(millis);
      EXPECT_EQ(ParseInstant(text), millis) << text;
      const Result<std::string> bytes = PartBytes(*index, 0, text);
      ASSERT_TRUE(bytes.ok()) << bytes.status().message();
      EXPECT_EQ(PartTime(*index, {KeyPartNames(*index)[0], *bytes}), millis) << row;
    }
  }
}

}  // namespace
}  // namespace fensi::mapping
