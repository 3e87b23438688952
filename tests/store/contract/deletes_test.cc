// Delete markers: order-blind until a major compaction drops them.
#include "base/clock.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using enum CellType;
using Deletes = StoreContract;

constexpr CellType kMarkers[] = {kDelete, kDeleteColumn, kDeleteFamily, kDeleteFamilyVersion};

/// "f:q" or, for markers of families, "f:".
std::string PlaceOf(CellType type) { return type == kDelete || type == kDeleteColumn ? "f:q" : "f"; }

TEST_F(Deletes, AMarkerHidesAPutOfItsTimestampThatArrivesLater) {
  const std::string table = NewTable();
  for (CellType type : kMarkers) {
    const std::string row(CellTypeName(type));
    Put(table, row, {PutCell("f:q", 20, "old")});
    Delete(table, row, {Marker(type, PlaceOf(type), 20)});
    Put(table, row, {PutCell("f:q", 20, "late")});
    EXPECT_EQ(Visible(table, row), "") << row;
  }
}

TEST_F(Deletes, AMajorCompactionForgetsTheMarkerAndWhatItHid) {
  const std::string table = NewTable();
  for (CellType type : kMarkers) Put(table, std::string(CellTypeName(type)), {PutCell("f:q", 20, "old")});
  for (CellType type : kMarkers) Delete(table, std::string(CellTypeName(type)), {Marker(type, PlaceOf(type), 20)});
  ASSERT_EQ(under_test().MajorCompact(table).message(), "");
  for (CellType type : kMarkers) {
    const std::string row(CellTypeName(type));
    EXPECT_EQ(Raw(table, row), "");
    Put(table, row, {PutCell("f:q", 20, "again")});
    EXPECT_EQ(Visible(table, row), "f:q@20=again") << row;
  }
}

TEST_F(Deletes, AMarkerLeavesNewerPutsAlone) {
  const std::string table = NewTable();
  for (CellType type : kMarkers) {
    const std::string row(CellTypeName(type));
    Delete(table, row, {Marker(type, PlaceOf(type), 20)});
    Put(table, row, {PutCell("f:q", 21, "new")});
    EXPECT_EQ(Visible(table, row), "f:q@21=new") << row;
  }
}

TEST_F(Deletes, ColumnAndFamilyMarkersHideOlderPutsVersionMarkersDoNot) {
  const std::string table = NewTable();
  for (CellType type : kMarkers) {
    const std::string row(CellTypeName(type));
    Put(table, row, {PutCell("g:q", 18, "a"), PutCell("g:q", 20, "b")});
    Delete(table, row, {Marker(type, type == kDelete || type == kDeleteColumn ? "g:q" : "g", 20)});
    const bool exact = type == kDelete || type == kDeleteFamilyVersion;
    EXPECT_EQ(Visible(table, row), exact ? "g:q@18=a" : "") << row;
  }
}

TEST_F(Deletes, OfAFamilyReachEveryColumnOfItAndNoOther) {
  const std::string table = NewTableWith(
      "r", {PutCell("f:", 10, "empty"), PutCell("f:a", 10, "a"), PutCell("f:b", 30, "b"), PutCell("g:a", 10, "g")},
      {Marker(kDeleteFamily, "f", 20)});
  EXPECT_EQ(Visible(table, "r"), "f:b@30=b, g:a@10=g");
}

TEST_F(Deletes, OfAColumnReachNoOtherColumn) {
  const std::string table =
      NewTableWith("r", {PutCell("f:", 10, "empty"), PutCell("f:a", 10, "a"), PutCell("f:ab", 10, "ab")},
                   {Marker(kDeleteColumn, "f:a", 20)});
  EXPECT_EQ(Visible(table, "r"), "f:@10=empty, f:ab@10=ab");
}

TEST_F(Deletes, OfAllKindsMayBeMixedInOneMutation) {
  const std::string table = NewTableWith(
      "r", {PutCell("f:a", 10, "a"), PutCell("f:b", 11, "b"), PutCell("f:c", 12, "c"), PutCell("g:d", 13, "d")},
      {Marker(kDelete, "f:a", 10), Marker(kDeleteColumn, "f:b", 11), Marker(kDeleteFamilyVersion, "f", 12),
       Marker(kDeleteFamily, "g", 13)});
  EXPECT_EQ(Visible(table, "r"), "");
  EXPECT_EQ(Raw(table, "r"),
            "f:@12 delete_family_version, f:a@10 delete, f:a@10=a, f:b@11 delete_column, f:b@11=b, f:c@12=c, "
            "g:@13 delete_family, g:d@13=d");
}

TEST_F(Deletes, OfManyTimestampsOfOneColumnAllCount) {
  const std::string table = NewTableWith("r", {PutCell("g:q", 1, "a"), PutCell("g:q", 2, "b"), PutCell("g:q", 3, "c")},
                                         {Marker(kDelete, "g:q", 1), Marker(kDelete, "g:q", 3)});
  EXPECT_EQ(Visible(table, "r"), "g:q@2=b");
}

TEST_F(Deletes, OfManyTimestampsOfOneFamilyAllCount) {
  const std::string table = NewTable();
  Delete(table, "r",
         {Marker(kDeleteFamily, "f", 3), Marker(kDeleteFamily, "f", 1), Marker(kDeleteFamilyVersion, "g", 3),
          Marker(kDeleteFamilyVersion, "g", 1)});
  EXPECT_EQ(Raw(table, "r"),
            "f:@3 delete_family, f:@1 delete_family, g:@3 delete_family_version, g:@1 delete_family_version");
}

TEST_F(Deletes, OfAnAbsentRowAreKept) {
  const std::string table = NewTable();
  Delete(table, "nobody", {Marker(kDeleteColumn, "f:q", 20)});
  EXPECT_EQ(Raw(table, "nobody"), "f:q@20 delete_column");
}

TEST_F(Deletes, OfAnEmptyQualifierAreNoFamilyMarkers) {
  const std::string table =
      NewTableWith("r", {PutCell("f:", 10, "empty"), PutCell("f:a", 10, "a")}, {Marker(kDeleteColumn, "f:", 20)});
  EXPECT_EQ(Visible(table, "r"), "f:a@10=a");
}

TEST_F(Deletes, AtTimestampZeroAndTheLargestOneAreStored) {
  const std::string table = NewTable();
  constexpr int64_t kLargest = INT64_MAX - 1;
  Delete(table, "r", {Marker(kDeleteColumn, "f:a", 0), Marker(kDeleteColumn, "f:b", kLargest)});
  EXPECT_EQ(Raw(table, "r"), "f:a@0 delete_column, f:b@" + std::to_string(kLargest) + " delete_column");
}

TEST_F(Deletes, StayForAsLongAsTheFamilyAsks) {
  FamilyDescriptor family{.name = "f"};
  family.configuration["hbase.hstore.time.to.purge.deletes"] = "3600000";
  const std::string table = NewTable({family});
  const int64_t now = SystemClock()->WallMillis();
  Put(table, "r", {PutCell("f:q", now, "v")});
  Delete(table, "r", {Marker(kDeleteColumn, "f:q", now), Marker(kDeleteColumn, "f:old", now - 7'200'000)});
  ASSERT_EQ(under_test().MajorCompact(table).message(), "");
  EXPECT_EQ(Raw(table, "r"), "f:q@" + std::to_string(now) + " delete_column");
}

}  // namespace
}  // namespace fensi::store
