#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/text.h"

namespace fensi {
namespace {

TEST(ParseWhole, TakesDigitsAloneAndTheSignOfANegativeNumber) {
  EXPECT_EQ(ParseWhole<int64_t>("0"), 0);
  EXPECT_EQ(ParseWhole<int64_t>("007"), 7);
  EXPECT_EQ(ParseWhole<int64_t>("-12"), -12);
  EXPECT_EQ(ParseWhole<uint16_t>("65535"), 65535);
}

TEST(ParseWhole, RefusesWhatIsNotANumberAsAWhole) {
  for (const char* text : {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "one", "--1"}) {
    EXPECT_EQ(ParseWhole<int64_t>(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseWhole<int64_t>(std::string("1\0", 2)), std::nullopt);
}

TEST(ParseWhole, RefusesWhatDoesNotFitTheType) {
  EXPECT_EQ(ParseWhole<int64_t>("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(ParseWhole<int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(ParseWhole<int64_t>("9223372036854775808"), std::nullopt);
  EXPECT_EQ(ParseWhole<uint16_t>("65536"), std::nullopt);
  EXPECT_EQ(ParseWhole<uint32_t>("-1"), std::nullopt);
}

}  // namespace
}  // namespace fensi
