#include <gtest/gtest.h>

#include <map>

#include "base/hbase_limits.h"

namespace fensi {
namespace {

TEST(TableName, OfHBaseIsTaken) {
  for (const char* name :
       {"guanzhu", "ns:guanzhu", "_a-b.c", "1", "default:t", "hbase:meta", "表格", "空间:表格-1.a", "größe", "٣"}) {
    EXPECT_TRUE(IsTableName(name)) << name;
  }
}

TEST(TableName, WithAnEmptyHalfOrAnotherCharacterIsNone) {
  for (const char* name : {"", ":", ":t", "ns:", "a:b:c", "a b", "-t", ".t", "n-s:t", "n.s:t", "ns:.t", "𠀀", "t\n",
                           "zookeeper", "表 格", "表/", "\xE8\xA1", "😀"}) {
    EXPECT_FALSE(IsTableName(name)) << name;
    EXPECT_EQ(ParseTableName(name).status().code(), StatusCode::kInvalidArgument) << name;
  }
}

TEST(TableName, IsAsHBaseWritesIt) {
  EXPECT_EQ(*ParseTableName("default:t"), "t");
  EXPECT_EQ(*ParseTableName("defaults:t"), "defaults:t");
  EXPECT_EQ(*ParseTableName("ns:default"), "ns:default");
}

TEST(TableName, OfTwoTablesNoTopicIsTheSame) {
  EXPECT_EQ(TopicOfTable("t"), "t");
  EXPECT_EQ(TopicOfTable("default:t"), "t");
  EXPECT_EQ(TopicOfTable("ns:t"), "ns.t");
  EXPECT_EQ(TopicOfTable("ns.t"), "default.ns.t");
  EXPECT_EQ(TopicOfTable("default:ns.t"), "default.ns.t");
  // All names of up to six of these characters.
  EXPECT_EQ(TopicOfTable("表-a.b"), "default..-e8-a1-a8--a.b");
  EXPECT_EQ(TopicOfTable("空:t"), "-e7-a9-ba..t");
  const std::string characters = "ab.:";
  std::map<std::string, std::string> table_of;
  for (size_t number = 1; number < 1 << 14; ++number) {
    std::string name;
    for (size_t rest = number; rest > 1; rest >>= 2) name += characters[rest & 3];
    for (const std::string& begin : {std::string(), std::string("default:"), std::string("default.")}) {
      const Result<std::string> table = ParseTableName(begin + name);
      if (!table.ok()) continue;
      const auto [known, added] = table_of.emplace(TopicOfTable(*table), *table);
      EXPECT_EQ(known->second, *table) << known->first;
    }
  }
  EXPECT_GT(table_of.size(), 1000u);
}

TEST(TableName, ThatIsOnlyTooLongIsToldSo) {
  EXPECT_TRUE(IsTableName(std::string(200, 'x')));
  const Result<std::string> long_name = ParseTableName(std::string(201, 'x'));
  EXPECT_NE(long_name.status().message().find("too long"), std::string::npos) << long_name.status().message();
}

}  // namespace
}  // namespace fensi
