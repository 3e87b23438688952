// Parts of row keys as people write and read them: numbers that the source holds in bytes in digits, all else as it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/bytes.h"
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

TEST(PartText, WhatIsNoNumberIsTakenAsItIs) {
  const auto index = IndexWithRow("{f:x | i64 | ordered}");
  for (const char* typed : {"", "-", "+4", "4 ", "0x1", "1e3", "四", "eight by"}) {
    EXPECT_EQ(*PartBytes(*index, 0, typed), typed);
  }
}

TEST(PartText, ANumberThatDoesNotFitIsRefused) {
  for (const auto& [row, typed] :
       {std::pair("{f:x | i8 | ordered 1}", "128"), std::pair("{f:x | u8 | to_be 1}", "256"),
        std::pair("{f:x | u8 | to_be 1}", "-1"), std::pair("{f:x | i64 | ordered}", "9223372036854775808"),
        std::pair("{f:x | i32 | ordered 4}", "4294967296")}) {
    const Result<std::string> bytes = PartBytes(*IndexWithRow(row), 0, typed);
    EXPECT_EQ(bytes.status().code(), StatusCode::kInvalidArgument) << row << " " << typed;
    EXPECT_THAT(bytes.status().message(), HasSubstr("does not fit"));
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

}  // namespace
}  // namespace fensi::mapping
