// State cells as values again; their bytes are pinned in tests/formats.
#include "indexer/state/unit_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "proto/state.pb.h"
#include "tests/indexer/state/made_put.h"

namespace fensi::testing {
namespace {

using ::testing::HasSubstr;

TEST(UnitCodec, RegistersThatHoldNothingAreReadAsNothing) {
  indexer::Unit unit, read;
  unit.FindOrAdd("f", "k");
  unit.families->FindOrAdd("f");
  ASSERT_TRUE(DecodeUnit(EncodeUnit(unit, true), &read).ok());
  EXPECT_EQ(read.columns, unit.columns);
  EXPECT_EQ(read.families->families, unit.families->families);
  EXPECT_EQ(read.forgotten, indexer::kNoTime);
  EXPECT_FALSE(read.doubted);
  EXPECT_FALSE(read.reserved);
}

TEST(UnitCodec, TimeZeroIsATimeAndNotNothing) {
  indexer::Unit unit, read;
  indexer::ColumnState* column = unit.FindOrAdd("f", "k");
  column->Put(PutAt(0, 0, ""), false);
  column->DeleteColumn(0, 0);
  ASSERT_TRUE(DecodeUnit(EncodeUnit(unit, false), &read).ok());
  EXPECT_EQ(read.columns, unit.columns);
  EXPECT_EQ(read.columns[0].marker, 0);
  EXPECT_EQ(read.columns[0].newest.timestamp, 0);
}

TEST(UnitCodec, MarkersThatColumnUnitsShareAreNoPartOfAUnit) {
  indexer::Unit unit, read;
  unit.families->FindOrAdd("f")->DeleteFamily(11, 0);
  ASSERT_TRUE(DecodeUnit(EncodeUnit(unit, false), &read).ok());
  EXPECT_TRUE(read.families->families.empty());
}

TEST(UnitCodec, ReadingReplacesWhatTheUnitHeld) {
  indexer::Unit unit, read;
  read.FindOrAdd("f", "old");
  read.doubted = true;
  ASSERT_TRUE(DecodeUnit(EncodeUnit(unit, false), &read).ok());
  EXPECT_TRUE(read.columns.empty());
  EXPECT_FALSE(read.doubted);
}

TEST(UnitCodec, DeletedVersionsThatWereKeptUnsortedAreSorted) {
  proto::UnitState state;
  state.set_format(1);
  for (const int64_t time : {13, 11, 12}) {
    if (state.columns_size() == 0) state.add_columns();
    state.mutable_columns(0)->add_deleted_versions(time);
  }
  indexer::Unit read;
  ASSERT_TRUE(DecodeUnit(state.SerializeAsString(), &read).ok());
  EXPECT_EQ(read.columns[0].deleted_versions, (std::vector<int64_t>{11, 12, 13}));
}

TEST(UnitCodec, DoubtIsReadAsItWas) {
  for (const bool intent : {false, true}) {
    const indexer::Doubt doubt{.intent = intent, .snapshots = {{.cells = {{"f", "k", 11, "v"}}}, {.dropped = true}}};
    indexer::Doubt read;
    ASSERT_TRUE(DecodeDoubt(EncodeDoubt(doubt), &read).ok());
    EXPECT_EQ(read, doubt);
  }
}

TEST(UnitCodec, BytesThatAreNoStateAreRefused) {
  indexer::Unit unit;
  const Status refused = indexer::DecodeUnit("\xff\xff", &unit);
  EXPECT_EQ(refused.code(), StatusCode::kInternal);
  EXPECT_THAT(refused.message(), HasSubstr("cannot be decoded"));
}

}  // namespace
}  // namespace fensi::testing
