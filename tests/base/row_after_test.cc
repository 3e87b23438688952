// The key that comes next, also where a key has as many bytes as HBase takes.
#include <gtest/gtest.h>

#include "base/hbase_limits.h"

namespace fensi {
namespace {

TEST(RowAfter, IsOneByteLongerWhereThatIsPossible) {
  EXPECT_EQ(RowAfter(""), std::string(1, '\0'));
  EXPECT_EQ(RowAfter("a"), std::string("a\0", 2));
  const std::string almost(kMaxRowBytes - 1, 'k');
  EXPECT_EQ(RowAfter(almost), almost + '\0');
}

TEST(RowAfter, OfALongestKeyIsTheNextOfAnyLength) {
  const std::string longest(kMaxRowBytes, 'k');
  EXPECT_EQ(RowAfter(longest), longest.substr(1) + 'l');
  const std::string carries = longest.substr(2) + "\xff\xff";
  EXPECT_EQ(RowAfter(carries), longest.substr(3) + 'l');
  EXPECT_EQ(RowAfter(std::string(kMaxRowBytes, '\xff')), "") << "it is the last of all";
  EXPECT_EQ(RowAfter(longest + "kk"), longest.substr(1) + 'l') << "of a key that no table can have";
}

}  // namespace
}  // namespace fensi
