#include "base/table_name.h"

#include <gtest/gtest.h>

namespace fensi {
namespace {

TEST(TableName, OfHBaseIsTaken) {
  for (const char* name : {"guanzhu", "ns:guanzhu", "_a-b.c", "1", "default:t", "hbase:meta"}) {
    EXPECT_TRUE(IsTableName(name)) << name;
  }
}

TEST(TableName, WithAnEmptyHalfOrAnotherCharacterIsNone) {
  for (const char* name : {"", ":", ":t", "ns:", "a:b:c", "a b", "-t", ".t", "n-s:t", "n.s:t", "ns:.t", "表", "t\n"}) {
    EXPECT_FALSE(IsTableName(name)) << name;
    EXPECT_EQ(ParseTableName(name).status().code(), StatusCode::kInvalidArgument) << name;
  }
}

TEST(TableName, IsAsHBaseWritesIt) {
  EXPECT_EQ(*ParseTableName("default:t"), "t");
  EXPECT_EQ(*ParseTableName("defaults:t"), "defaults:t");
  EXPECT_EQ(*ParseTableName("ns:default"), "ns:default");
}

TEST(TableName, ThatIsOnlyTooLongIsToldSo) {
  EXPECT_TRUE(IsTableName(std::string(200, 'x')));
  const Result<std::string> long_name = ParseTableName(std::string(201, 'x'));
  EXPECT_NE(long_name.status().message().find("too long"), std::string::npos) << long_name.status().message();
}

}  // namespace
}  // namespace fensi
