#include "hbase/wire/cell_block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/capture/hbase_bytes.h"
#include "tests/support/matchers.h"

namespace fensi::hbase {
namespace {

using namespace capture;  // its helpers of bytes

// As a region server of HBase 2.6.1 sent it: row f0, column f:q, put, value v0.
const char kSeen[] = "0000001a 00000010 00000002 0002 6630 01 66 71 000001a1fcef6c98 04 7630";

TEST(CellBlock, IsReadAsHBaseWritesIt) {
  const std::string block = FromHex(kSeen);
  CellBlockReader reader(block);
  CellView cell;
  ASSERT_TRUE(reader.Next(&cell).ok());
  EXPECT_EQ(cell.row, "f0");
  EXPECT_EQ(cell.family, "f");
  EXPECT_EQ(cell.qualifier, "q");
  EXPECT_EQ(cell.timestamp, 0x1a1fcef6c98);
  EXPECT_EQ(cell.type, 4);
  EXPECT_EQ(cell.value, "v0");
  EXPECT_EQ(cell.tags, "");
  EXPECT_TRUE(reader.AtEnd());
}

TEST(CellBlock, HoldsCellsWithAndWithoutTagsSideBySide) {
  Cell with = Put("q", "v");
  with.tags = {MakeTtlTag(60'000), {.type = 200, .value = ""}};
  const std::string block = CellBytes("r", with) + CellBytes("r", Put("", ""));
  CellBlockReader reader(block);
  CellView cell;
  ASSERT_TRUE(reader.Next(&cell).ok());
  EXPECT_EQ(ParseTags(cell.tags), with.tags);
  EXPECT_EQ(cell.tags.substr(0, 11), FromHex("0009 08 000000000000ea60"));
  ASSERT_TRUE(reader.Next(&cell).ok());
  EXPECT_TRUE(ParseTags(cell.tags).empty());
  EXPECT_TRUE(reader.AtEnd());
}

TEST(CellBlock, ThatIsCutAnywhereIsRefused) {
  Cell tagged = Put("q", "v");
  tagged.tags = {MakeTtlTag(1)};
  const std::string block = CellBytes("r", tagged);
  for (size_t length = 1; length < block.size(); ++length) {
    const std::string half = block.substr(0, length);
    CellView cell;
    EXPECT_EQ(CellBlockReader(half).Next(&cell).code(), StatusCode::kInvalidArgument) << length;
  }
}

TEST(CellBlock, WhoseLengthsContradictEachOtherIsRefused) {
  const std::string good = FromHex(kSeen);
  for (size_t at = 0; at < good.size(); ++at) {
    for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string bad = good;
      bad[at] = static_cast<char>(value);
      CellBlockReader reader(bad);
      CellView cell;
      if (!reader.Next(&cell).ok()) continue;
      EXPECT_LE(cell.row.size() + cell.family.size() + cell.qualifier.size() + cell.value.size(), bad.size());
    }
  }
}

TEST(CellBlock, NamesThePlaceOfTheFault) {
  const std::string block = FromHex(kSeen) + FromHex("7fffffff");
  CellBlockReader reader(block);
  CellView cell;
  ASSERT_TRUE(reader.Next(&cell).ok());
  EXPECT_THAT(reader.Next(&cell).message(), HasSubstr("the cell block is damaged at byte 30"));
}

}  // namespace
}  // namespace fensi::hbase
