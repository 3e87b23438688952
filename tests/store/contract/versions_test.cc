// Which of several puts to a column is seen.
#include "base/clock.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using Versions = StoreContract;

TEST_F(Versions, AreSeenNewestFirstAndAsManyAsTheFamilyKeeps) {
  const std::string table = NewTable();
  for (int64_t t : {3, 1, 4, 2}) {
    Put(table, "r", {PutCell("f:q", t, std::to_string(t)), PutCell("g:q", t, std::to_string(t))});
  }
  EXPECT_EQ(Visible(table, "r"), "f:q@4=4, g:q@4=4, g:q@3=3, g:q@2=2");
}

TEST_F(Versions, AreSeenAsManyAsTheReaderAsks) {
  const std::string table = NewTableWith("r", {PutCell("g:q", 1, "a"), PutCell("g:q", 2, "b"), PutCell("g:q", 3, "c")});
  EXPECT_EQ(Get(table, {.row = "r"}), "g:q@3=c");
  EXPECT_EQ(Get(table, {.row = "r", .max_versions = 2}), "g:q@3=c, g:q@2=b");
}

TEST_F(Versions, OfEqualTimestampsTheLaterWrittenWins) {
  const std::string table = NewTable();
  Put(table, "up", {PutCell("g:q", 7, "a")});
  Put(table, "down", {PutCell("g:q", 7, "z")});
  ASSERT_EQ(under_test().Flush(table).message(), "");
  Put(table, "up", {PutCell("g:q", 7, "z")});
  Put(table, "down", {PutCell("g:q", 7, "a")});
  EXPECT_EQ(Raw(table, "up"), "g:q@7=z");
  EXPECT_EQ(Raw(table, "down"), "g:q@7=a");
}

TEST_F(Versions, ALateOldPutDoesNotReplaceANewerOne) {
  const std::string table = NewTableWith("r", {PutCell("f:q", 9, "new")});
  Put(table, "r", {PutCell("f:q", 5, "old")});
  EXPECT_EQ(Get(table, {.row = "r"}), "f:q@9=new");
}

TEST_F(Versions, HiddenPutsDoNotCount) {
  const std::string table = NewTableWith("r", {PutCell("g:q", 1, "a"), PutCell("g:q", 2, "b"), PutCell("g:q", 3, "c")},
                                         {Marker(CellType::kDelete, "g:q", 3)});
  EXPECT_EQ(Get(table, {.row = "r"}), "g:q@2=b");
}

TEST_F(Versions, OfOneVersionTheDeletedNewestUncoversTheOlderInMemory) {
  const std::string table = NewTableWith("r", {PutCell("f:q", 1, "a")});
  Put(table, "r", {PutCell("f:q", 2, "b")});
  Delete(table, "r", {Marker(CellType::kDelete, "f:q", 2)});
  EXPECT_EQ(Visible(table, "r"), "f:q@1=a");
}

TEST_F(Versions, BeyondTheFamilysAreGoneAfterAMajorCompaction) {
  const std::string table = NewTableWith("r", {PutCell("f:q", 1, "a")});
  Put(table, "r", {PutCell("f:q", 2, "b")});
  ASSERT_EQ(under_test().MajorCompact(table).message(), "");
  Delete(table, "r", {Marker(CellType::kDelete, "f:q", 2)});
  EXPECT_EQ(Visible(table, "r"), "");
}

TEST_F(Versions, OfARawReadAreCountedInPuts) {
  const std::string table =
      NewTableWith("r", {PutCell("g:q", 5, "a"), PutCell("g:q", 3, "b"), PutCell("g:q", 1, "c")},
                   {Marker(CellType::kDelete, "g:q", 5), Marker(CellType::kDeleteColumn, "g:q", 4)});
  EXPECT_EQ(Get(table, {.row = "r", .max_versions = 2, .raw = true}),
            "g:q@5 delete, g:q@5=a, g:q@4 delete_column, g:q@3=b");
}

TEST_F(Versions, WithATtlOfTheirOwnExpireCountedFromTheTimestamp) {
  const std::string table = NewTable();
  const int64_t now = SystemClock()->WallMillis();
  Put(table, "old", {Expiring(PutCell("f:q", 1000, "v"), 3'600'000)});
  Put(table, "young", {Expiring(PutCell("f:q", now, "v"), 3'600'000)});
  EXPECT_EQ(Visible(table, "old"), "");
  EXPECT_EQ(Visible(table, "young"), "f:q@" + std::to_string(now) + "=v");
}

TEST_F(Versions, WithATtlBelowZeroExpireBeforeTheirTimestamp) {
  const std::string table = NewTable();
  const int64_t ahead = SystemClock()->WallMillis() + 7'200'000;
  Put(table, "gone", {Expiring(PutCell("f:q", ahead, "v"), -10'800'000)});
  Put(table, "there", {Expiring(PutCell("f:q", ahead, "v"), -3'600'000)});
  EXPECT_EQ(Visible(table, "gone"), "");
  EXPECT_EQ(Visible(table, "there"), "f:q@" + std::to_string(ahead) + "=v");
}

TEST_F(Versions, OfAFamilyWithATtlExpire) {
  const std::string table = NewTable({{.name = "f", .ttl_seconds = 3600}});
  const int64_t now = SystemClock()->WallMillis();
  Put(table, "r", {PutCell("f:old", now - 7'200'000, "v"), PutCell("f:young", now, "v")});
  EXPECT_EQ(Visible(table, "r"), "f:young@" + std::to_string(now) + "=v");
}

TEST_F(Versions, UpToTheMinimumOutliveTheFamilysTtl) {
  const std::string table = NewTable({{.name = "f", .max_versions = 3, .min_versions = 1, .ttl_seconds = 3600}});
  Put(table, "r", {PutCell("f:q", 1000, "a"), PutCell("f:q", 2000, "b")});
  EXPECT_EQ(Visible(table, "r"), "f:q@2000=b");
}

}  // namespace
}  // namespace fensi::store
