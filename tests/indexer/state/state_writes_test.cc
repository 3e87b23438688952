// Where states, intents and their notes are written, and what goes when states settle intents.
#include "indexer/state/state_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "indexer/state/unit_codec.h"
#include "tests/indexer/state/made_unit.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::RowWork;
using indexer::StateWrites;
using indexer::UnitWork;
using Mutations = std::vector<store::RowMutation>;

class StateWritesTest : public ::testing::Test {
 protected:
  RowWork* Dirty(const std::string& name, int64_t version) {
    RowWork* row = &rows_.emplace_back(RowWork{.row = name});
    UnitWork* work = row->FindOrAdd("", "");
    *work = DirtyUnit(version);
    work->unit.row = name;
    in_order_.push_back(row);
    return row;
  }
  const StateWrites one_bucket_{{.bucket_bits = 0}, true, std::nullopt};
  const StateWrites rows_of_their_own_{{}, true, std::nullopt};
  const std::string bucket_ = std::string(2, '\0');

  UnitWork* UnitOf(RowWork* row) { return &row->units.begin()->second; }

  std::deque<RowWork> rows_;
  std::vector<RowWork*> in_order_;
};

TEST_F(StateWritesTest, RowsOfOneBucketShareAMutation) {
  Dirty("b", 7);
  Dirty("a", 5);
  UnitOf(Dirty("in doubt", 6))->doubtful = true;
  UnitOf(Dirty("clean", 6))->dirty = false;
  const Mutations written = one_bucket_.States(in_order_);
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written[0].row, bucket_);
  ASSERT_EQ(written[0].cells.size(), 2u);
  EXPECT_EQ(written[0].cells[0].family, "s");
  EXPECT_EQ(written[0].cells[0].qualifier, "b");
  EXPECT_EQ(written[0].cells[0].timestamp, 7);
  EXPECT_EQ(written[0].cells[1].qualifier, "a");
  EXPECT_EQ(rows_of_their_own_.States(in_order_).size(), 2u);
}

TEST_F(StateWritesTest, AStateBringsWhatTheLastLookLeftInTheSameCell) {
  RowWork* row = Dirty("b", 7);
  UnitOf(row)->unit.doubt = {.snapshots = {{.cells = {{"f", "k", 3, "seen"}}}}};
  UnitOf(row)->doubt_dirty = true;
  const Mutations written = one_bucket_.States(in_order_);
  ASSERT_EQ(written.at(0).cells.size(), 1u);
  indexer::Unit read;
  ASSERT_TRUE(indexer::DecodeUnit(written[0].cells[0].value, &read).ok());
  EXPECT_EQ(read.doubt, UnitOf(row)->unit.doubt);
}

TEST_F(StateWritesTest, NoMutationOfABucketIsLarge) {
  for (int i = 0; i < 350; ++i) Dirty("row" + std::to_string(i), 5);
  Mutations written = one_bucket_.States(in_order_);
  ASSERT_EQ(written.size(), 4u);
  EXPECT_EQ(written[0].cells.size(), 100u);
  EXPECT_EQ(written[3].cells.size(), 50u);
  for (RowWork* row : in_order_) UnitOf(row)->unit.columns[0].newest.value = std::string(200'000, 'x');
  written = one_bucket_.States(in_order_);
  EXPECT_EQ(written.size(), 350u) << "two of them are too much for one";
}

TEST_F(StateWritesTest, StatesOfABucketExpireWithTheirSource) {
  Dirty("b", 7);
  const StateWrites expiring({.bucket_bits = 0}, true, 5000);
  EXPECT_EQ(expiring.States(in_order_)[0].cells[0].tags, std::vector{MakeTtlTag(5000)});
}

TEST_F(StateWritesTest, AnIntentStandsInARowOfItsOwnAndIsNotedInTheBucket) {
  RowWork* row = Dirty("b", 7);
  Mutations puts;
  one_bucket_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  ASSERT_EQ(puts.size(), 2u);
  EXPECT_EQ(puts[0].row, "b");
  EXPECT_EQ(puts[0].cells[0].family, "d");
  EXPECT_EQ(puts[0].cells[0].qualifier, "i12345678");
  EXPECT_EQ(puts[1].row, bucket_);
  EXPECT_EQ(puts[1].cells, (std::vector<Cell>{{.family = "m", .qualifier = "b", .timestamp = 9}}));
  puts.clear();
  rows_of_their_own_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  EXPECT_EQ(puts.size(), 1u);
}

TEST_F(StateWritesTest, ASettledIntentGoesWithItsNote) {
  RowWork* row = Dirty("b", 9);
  Mutations puts, deletes;
  one_bucket_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  one_bucket_.AddSettled(row, &deletes);
  ASSERT_EQ(deletes.size(), 2u);
  EXPECT_EQ(deletes[0].row, "b");
  EXPECT_EQ(deletes[1].row, bucket_);
  EXPECT_EQ(deletes[1].cells,
            (std::vector<Cell>{{.family = "m", .qualifier = "b", .timestamp = 9, .type = CellType::kDeleteColumn}}));
  deletes.clear();
  one_bucket_.AddSettled(row, &deletes);
  EXPECT_TRUE(deletes.empty()) << "once";
}

/// The first attempt's note stands at 12, its intent never came. Another one's intent, at 11, may have been acted upon.
TEST_F(StateWritesTest, ANoteGoesNoFurtherThanTheState) {
  RowWork* row = Dirty("b", 10);
  row->noted = 12;
  Mutations deletes;
  one_bucket_.AddSettled(row, &deletes);
  ASSERT_EQ(deletes.size(), 1u);
  EXPECT_EQ(deletes[0].cells[0].timestamp, 10);
}

TEST_F(StateWritesTest, WhatStillCountsStays) {
  RowWork* row = Dirty("b", 9);
  Mutations puts, deletes;
  one_bucket_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  UnitOf(row)->unit.doubt = {.intent = true, .snapshots = {{}}};
  one_bucket_.AddSettled(row, &deletes);
  EXPECT_TRUE(deletes.empty());
}

}  // namespace
}  // namespace fensi::testing
