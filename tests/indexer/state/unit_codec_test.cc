// State cells as values again; their bytes are pinned in tests/formats.
#include "indexer/state/unit_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "proto/state.pb.h"
#include "tests/indexer/state/made_put.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

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

/// Any value of any field, the smallest and the longest too.
class AnyUnit {
 public:
  explicit AnyUnit(int seed) : random_(static_cast<unsigned>(seed)) {}

  indexer::Unit Make() {
    indexer::Unit unit;
    unit.columns.resize(Upto(3));
    for (indexer::ColumnState& column : unit.columns) column = Column();
    unit.families->families.resize(Upto(2));
    for (indexer::FamilyState& family : unit.families->families) family = Family();
    unit.doubted = Upto(1) == 1;
    unit.reserved = Upto(1) == 1;
    unit.forgotten = Time();
    return unit;
  }

 private:
  size_t Upto(size_t most) { return std::uniform_int_distribution<size_t>(0, most)(random_); }
  int64_t Time() {
    constexpr int64_t kTimes[] = {indexer::kNoTime, 0, 1, 126, 127, 128, 1'482'125'382'074, INT64_MAX - 1};
    return kTimes[Upto(7)];
  }
  uint64_t Sequence() { return Upto(2) == 0 ? UINT64_MAX - Upto(1) : Upto(300); }
  std::string Bytes() {
    constexpr size_t kSizes[] = {0, 1, 100, 127, 128, 20'000};
    return std::string(kSizes[Upto(5)], static_cast<char>(Upto(255)));
  }
  std::vector<int64_t> Times() {
    std::vector<int64_t> times(Upto(2) * Upto(60));
    for (int64_t& time : times) time = std::max<int64_t>(Time(), 0);
    std::sort(times.begin(), times.end());
    return times;
  }
  indexer::PutRegister Register() {
    const int64_t ends = Upto(1) == 0 ? INT64_MAX : std::max<int64_t>(Time(), 1);
    return {std::max<int64_t>(Time(), 0), Sequence(), ends, Upto(1) == 1, Bytes()};
  }
  indexer::ColumnState Column() {
    indexer::ColumnState column{
        .family = Bytes(), .qualifier = Bytes(), .marker = Time(), .marker_sequence = Sequence()};
    if (Upto(3) > 0) column.newest = Register();
    column.version_marker = Time();
    column.kept.resize(Upto(2));
    for (indexer::PutRegister& put : column.kept) put = Register();
    column.deleted_versions = Times();
    column.forgotten = Time();
    column.unsure = Time();
    column.told = Upto(1) == 1;
    return column;
  }
  indexer::FamilyState Family() { return {Bytes(), Time(), Sequence(), Time(), Times(), Time()}; }

  std::mt19937 random_;
};

TEST(UnitCodec, BytesAreThoseThatProtobufWrites) {
  for (int seed = 0; seed < 2000; ++seed) {
    const indexer::Unit unit = AnyUnit(seed).Make();
    for (const bool with_families : {true, false}) {
      const std::string bytes = EncodeUnit(unit, with_families);
      proto::UnitState state;
      ASSERT_TRUE(state.ParseFromString(bytes)) << seed;
      ASSERT_EQ(state.SerializeAsString(), bytes) << seed;
      indexer::Unit read;
      ASSERT_TRUE(DecodeUnit(bytes, &read).ok()) << seed;
      EXPECT_EQ(read.columns, unit.columns) << seed;
      EXPECT_EQ(read.families->families, with_families ? unit.families->families : indexer::FamilyStates().families);
      EXPECT_EQ(std::tie(read.doubted, read.reserved, read.forgotten),
                std::tie(unit.doubted, unit.reserved, unit.forgotten));
    }
  }
}

TEST(UnitCodec, WhatIsReadOfAnyBytesIsWhatProtobufReads) {
  std::mt19937 random(1);
  int taken = 0;
  for (int seed = 0; seed < 5000; ++seed) {
    std::string bytes = EncodeUnit(AnyUnit(seed).Make(), true);
    if (seed % 2 == 0) bytes.resize(random() % (bytes.size() + 1));
    for (size_t changes = random() % 3; changes > 0 && !bytes.empty(); --changes) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    indexer::Unit read, again;
    proto::UnitState state;
    if (!DecodeUnit(bytes, &read).ok()) continue;
    ++taken;
    ASSERT_TRUE(state.ParseFromString(bytes)) << seed;
    state.DiscardUnknownFields();
    ASSERT_TRUE(DecodeUnit(state.SerializeAsString(), &again).ok()) << seed;
    EXPECT_EQ(read.columns, again.columns) << seed;
    EXPECT_EQ(read.families->families, again.families->families) << seed;
    EXPECT_EQ(std::tie(read.doubted, read.reserved, read.forgotten),
              std::tie(again.doubted, again.reserved, again.forgotten));
  }
  EXPECT_GT(taken, 500);
}

TEST(UnitCodec, AFieldOfANewerFensiIsPassedOver) {
  indexer::Unit unit, read;
  unit.FindOrAdd("f", "k")->Put(PutAt(7, 0, "v"), false);
  const std::string newer(
      "\xb8\x3e\x01\xb9\x3e"
      "12345678\xba\x3e\x02xy\xbd\x3e"
      "1234",
      24);
  ASSERT_TRUE(DecodeUnit(newer + EncodeUnit(unit, false) + newer, &read).ok());
  EXPECT_EQ(read.columns, unit.columns);
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
  for (const char* bytes : {"\xff\xff", ""}) {
    const Status refused = indexer::DecodeUnit(bytes, &unit);
    EXPECT_EQ(refused.code(), StatusCode::kInternal);
    EXPECT_THAT(refused.message(), HasSubstr("cannot be decoded"));
  }
}

}  // namespace
}  // namespace fensi::testing
