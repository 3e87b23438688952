#include <gtest/gtest.h>

#include "base/text.h"

namespace fensi {
namespace {

TEST(WithCommas, GroupsDigitsByThree) {
  EXPECT_EQ(WithCommas(0), "0");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1000), "1,000");
  EXPECT_EQ(WithCommas(-1234567), "-1,234,567");
  EXPECT_EQ(WithCommas(-123), "-123");
}

TEST(Counted, NamesOneAndMany) {
  EXPECT_EQ(Counted(1, "row"), "1 row");
  EXPECT_EQ(Counted(0, "row"), "0 rows");
  EXPECT_EQ(Counted(1, "entry"), "1 entry");
  EXPECT_EQ(Counted(1000, "entry"), "1,000 entries");
  EXPECT_EQ(Counted(2, "index"), "2 indexes");
  EXPECT_EQ(Counted(2, "byte"), "2 bytes");
}

}  // namespace
}  // namespace fensi
