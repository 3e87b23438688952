// Which reads make the states of a batch known where many rows share one of the table, and what their answers say.
#include "indexer/state/state_reads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "indexer/state/state_table.h"
#include "indexer/state/unit_codec.h"
#include "tests/indexer/state/made_unit.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::RowWork;
using indexer::StateLayout;
using indexer::StateReads;

constexpr StateLayout kSharedByAll{.bucket_bits = 0};
const std::string kSharedRow(2, '\0');

RowWork* Wanted(const std::string& name, std::deque<RowWork>* rows) {
  RowWork* row = &rows->emplace_back(RowWork{.row = name});
  row->FindOrAdd("", "");
  return row;
}

Cell StateOf(const std::string& name, int64_t version) {
  return {
      .family = "s", .qualifier = name, .timestamp = version, .value = indexer::EncodeWhole(DirtyUnit(version).unit)};
}
Cell NoteOf(const std::string& name, int64_t version) {
  return {.family = "m", .qualifier = name, .timestamp = version};
}
const indexer::Unit& UnitOf(const RowWork& row) { return row.units.begin()->second.unit; }

TEST(Buckets, AreAsManyAsTheBitsSayAndEvenlySpread) {
  for (const int bits : {0, 1, 8, 10}) {
    std::set<std::string> buckets;
    for (int i = 0; i < 20'000; ++i) buckets.insert(indexer::BucketOf("row" + std::to_string(i), bits));
    EXPECT_EQ(buckets.size(), size_t{1} << bits);
    EXPECT_EQ(*buckets.begin(), kSharedRow);
    EXPECT_EQ(static_cast<uint8_t>(buckets.rbegin()->front()), bits == 0 ? 0 : 256 - (256 >> std::min(bits, 8)));
  }
  EXPECT_EQ(indexer::BucketOf("r", 10), "\xBD\x40") << "a table is full of these";
}

TEST(StateReads, RowsOfOneBucketShareARead) {
  std::deque<RowWork> rows;
  StateReads reads(kSharedByAll, true);
  EXPECT_TRUE(reads.Add(Wanted("b", &rows)));
  EXPECT_TRUE(reads.Add(Wanted("a", &rows)));
  ASSERT_EQ(reads.requests().size(), 1u);
  EXPECT_EQ(reads.requests()[0].row, kSharedRow);
  using Columns = std::vector<store::GetRequest::Column>;
  EXPECT_EQ(reads.requests()[0].columns, (Columns{{"s", "b"}, {"m", "b"}, {"s", "a"}, {"m", "a"}}));
  EXPECT_EQ(reads.units(0), 2u);
  ASSERT_TRUE(reads.Take(0, {kSharedRow, {StateOf("a", 5), StateOf("b", 7)}}).ok());
  EXPECT_TRUE(rows[0].loaded && rows[1].loaded);
  EXPECT_EQ(UnitOf(rows[0]).version, 7);
  EXPECT_EQ(UnitOf(rows[1]).version, 5);
  EXPECT_FALSE(reads.NextRound());
}

TEST(StateReads, ARowWithoutAStateIsKnownToHaveNone) {
  std::deque<RowWork> rows;
  StateReads reads(kSharedByAll, true);
  reads.Add(Wanted("b", &rows));
  // A state that nobody asked for is passed over.
  ASSERT_TRUE(reads.Take(0, {kSharedRow, {StateOf("a", 5), NoteOf("c", 6)}}).ok());
  EXPECT_TRUE(rows[0].loaded);
  EXPECT_TRUE(rows[0].units.begin()->second.known);
  EXPECT_EQ(UnitOf(rows[0]).version, indexer::kNoTime);
}

TEST(StateReads, WhatIsKnownIsNotRead) {
  std::deque<RowWork> rows;
  Wanted("b", &rows)->units.begin()->second.known = true;
  StateReads reads(kSharedByAll, true);
  EXPECT_FALSE(reads.Add(&rows[0]));
  EXPECT_TRUE(reads.requests().empty());
}

TEST(StateReads, AReadAsksForAHundredUnitsAndTheRowAddedFirstIsAmongThoseOfTheFirst) {
  std::deque<RowWork> rows;
  StateReads reads({.bucket_bits = 1}, true);
  for (int i = 0; i < 1000; ++i) reads.Add(Wanted("row" + std::to_string(i), &rows));
  size_t units = 0;
  for (size_t i = 0; i < reads.requests().size(); ++i) {
    units += reads.units(i);
    EXPECT_LE(reads.units(i), 100u);
    EXPECT_EQ(reads.requests()[i].columns.size(), 2 * reads.units(i));
  }
  EXPECT_EQ(units, 1000u);
  EXPECT_LE(reads.requests().size(), 12u);
  EXPECT_EQ(reads.requests()[0].columns.front().qualifier, "row0");
}

/// M8.1: a note may tell of an attempt that put what no state tells.
TEST(StateReads, ARowThatIsNotedIsLoadedWithItsIntents) {
  std::deque<RowWork> rows;
  StateReads reads(kSharedByAll, true);
  for (const char* name : {"c", "b", "a"}) reads.Add(Wanted(name, &rows));
  ASSERT_TRUE(reads.Take(0, {kSharedRow, {NoteOf("a", 9), NoteOf("c", 9), StateOf("a", 5), StateOf("b", 7)}}).ok());
  EXPECT_FALSE(rows[0].loaded);
  EXPECT_TRUE(rows[1].loaded);
  EXPECT_FALSE(rows[2].loaded);
  ASSERT_TRUE(reads.NextRound());
  ASSERT_EQ(reads.requests().size(), 2u);
  EXPECT_EQ(reads.requests()[0].row, "c") << "in the order in which they were added";
  EXPECT_EQ(reads.requests()[1].row, "a");
  EXPECT_EQ(reads.requests()[1].columns, (std::vector<store::GetRequest::Column>{{"s", ""}, {"d", std::nullopt}}));
  const indexer::Snapshot seen{.cells = {{"f", "k", 7, "v"}}};
  ASSERT_TRUE(reads.Take(0, {"c", {}}).ok());
  ASSERT_TRUE(reads.Take(1, {"a", {indexer::IntentCell("12345678", UnitOf(rows[2]), {seen}, 9)}}).ok());
  EXPECT_TRUE(rows[0].loaded) << "its intents are gone";
  EXPECT_TRUE(rows[2].loaded);
  EXPECT_EQ(UnitOf(rows[0]).version, indexer::kNoTime);
  EXPECT_TRUE(UnitOf(rows[2]).doubt.intent);
  EXPECT_EQ(UnitOf(rows[2]).version, 9);
  EXPECT_FALSE(reads.NextRound());
}

/// A state that became small lies in the bucket again, and the large one of before still stands apart.
TEST(StateReads, OfTwoStatesTheNewerCountsAndTheOlderOneGoes) {
  for (const int64_t apart : {4, 6}) {
    std::deque<RowWork> rows;
    StateReads reads(kSharedByAll, true);
    reads.Add(Wanted("a", &rows));
    ASSERT_TRUE(reads.Take(0, {kSharedRow, {NoteOf("a", 6), StateOf("a", 5)}}).ok());
    ASSERT_TRUE(reads.NextRound());
    Cell state = StateOf("", apart);
    const indexer::Doubt left{.snapshots = {{.cells = {{"f", "k", 3, "v"}}}}};
    const Cell doubt{.family = "d", .qualifier = "d", .timestamp = apart, .value = indexer::EncodeDoubt(left)};
    ASSERT_TRUE(reads.Take(0, {"a", {doubt, state}}).ok());
    EXPECT_EQ(rows[0].apart, apart > 5);
    EXPECT_EQ(UnitOf(rows[0]).version, std::max<int64_t>(5, apart));
    EXPECT_EQ(UnitOf(rows[0]).doubt, apart > 5 ? left : indexer::Doubt());
    EXPECT_EQ(rows[0].units.begin()->second.intents.size(), apart > 5 ? 0 : 2)
        << "they go when what is newer is stored";
  }
}

TEST(StateReads, ACellThatCannotBeReadIsDamageOfItsUnit) {
  std::deque<RowWork> rows;
  StateReads reads(kSharedByAll, true);
  reads.Add(Wanted("b", &rows));
  ASSERT_TRUE(reads.Take(0, {kSharedRow, {{.family = "s", .qualifier = "b", .timestamp = 7, .value = "\xff"}}}).ok());
  const indexer::UnitWork& work = rows[0].units.begin()->second;
  EXPECT_EQ(work.damage,
            "the state of row b is damaged: column s:, version 7: the bytes of the cell cannot be decoded");
  EXPECT_EQ(work.unit.version, 8) << "the second of two may have been taken";
  EXPECT_TRUE(work.unit.doubted && work.unit.doubt.active());
  EXPECT_EQ(work.unit.forgotten, 7);
}

TEST(StateReads, WithoutBucketsEachRowIsReadAlone) {
  std::deque<RowWork> rows;
  StateReads reads({}, true);
  reads.Add(Wanted("b", &rows));
  reads.Add(Wanted("a", &rows));
  ASSERT_EQ(reads.requests().size(), 2u);
  EXPECT_EQ(reads.requests()[1].row, "a");
  EXPECT_EQ(reads.units(1), 1u);
  RowWork whole{.row = "w", .all_units = true};
  StateReads of_columns({}, false);
  of_columns.Add(&whole);
  EXPECT_EQ(of_columns.units(0), 0u) << "who knows how many";
}

}  // namespace
}  // namespace fensi::testing
