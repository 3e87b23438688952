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
    row->loaded = true;
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
  const Mutations written = one_bucket_.States(in_order_).then;
  ASSERT_EQ(written.size(), 1u);
  EXPECT_EQ(written[0].row, bucket_);
  ASSERT_EQ(written[0].cells.size(), 2u);
  EXPECT_EQ(written[0].cells[0].family, "s");
  EXPECT_EQ(written[0].cells[0].qualifier, "b");
  EXPECT_EQ(written[0].cells[0].timestamp, 7);
  EXPECT_EQ(written[0].cells[1].qualifier, "a");
  EXPECT_EQ(rows_of_their_own_.States(in_order_).then.size(), 2u);
}

TEST_F(StateWritesTest, AStateBringsWhatTheLastLookLeftInTheSameCell) {
  RowWork* row = Dirty("b", 7);
  UnitOf(row)->unit.doubt = {.snapshots = {{.cells = {{"f", "k", 3, "seen"}}}}};
  UnitOf(row)->doubt_dirty = true;
  const Mutations written = one_bucket_.States(in_order_).then;
  ASSERT_EQ(written.at(0).cells.size(), 1u);
  indexer::Unit read;
  ASSERT_TRUE(indexer::DecodeUnit(written[0].cells[0].value, &read).ok());
  EXPECT_EQ(read.doubt, UnitOf(row)->unit.doubt);
}

TEST_F(StateWritesTest, NoMutationOfABucketIsLarge) {
  for (int i = 0; i < 350; ++i) Dirty("row" + std::to_string(i), 5);
  Mutations written = one_bucket_.States(in_order_).then;
  ASSERT_EQ(written.size(), 4u);
  EXPECT_EQ(written[0].cells.size(), 100u);
  EXPECT_EQ(written[3].cells.size(), 50u);
  for (RowWork* row : in_order_) UnitOf(row)->unit.columns[0].newest.value = std::string(10'000, 'x');
  written = one_bucket_.States(in_order_).then;
  EXPECT_EQ(written.size(), 14u) << "26 of them are too much for one";
}

TEST_F(StateWritesTest, StatesOfABucketExpireWithTheirSource) {
  Dirty("b", 7);
  const StateWrites expiring({.bucket_bits = 0}, true, 5000);
  EXPECT_EQ(expiring.States(in_order_).then[0].cells[0].tags, std::vector{MakeTtlTag(5000)});
}

TEST_F(StateWritesTest, AnIntentStandsInARowOfItsOwnAndIsNotedInTheBucketBefore) {
  RowWork* row = Dirty("b", 7);
  indexer::InOrder puts;
  one_bucket_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  ASSERT_EQ(puts.then.size(), 1u);
  EXPECT_EQ(puts.then[0].row, "b");
  EXPECT_EQ(puts.then[0].cells[0].family, "d");
  EXPECT_EQ(puts.then[0].cells[0].qualifier, "i12345678");
  ASSERT_EQ(puts.first.size(), 1u);
  EXPECT_EQ(puts.first[0].row, bucket_);
  EXPECT_EQ(puts.first[0].cells, (std::vector<Cell>{{.family = "m", .qualifier = "b", .timestamp = 9}}));
  puts = {};
  rows_of_their_own_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  EXPECT_EQ(puts.then.size(), 1u);
  EXPECT_TRUE(puts.first.empty());
}

TEST_F(StateWritesTest, ASettledIntentGoesBeforeItsNote) {
  RowWork* row = Dirty("b", 9);
  indexer::InOrder puts, deletes;
  one_bucket_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  one_bucket_.AddSettled(row, &deletes);
  ASSERT_EQ(deletes.first.size(), 1u);
  EXPECT_EQ(deletes.first[0].row, "b");
  ASSERT_EQ(deletes.then.size(), 1u);
  EXPECT_EQ(deletes.then[0].row, bucket_);
  EXPECT_EQ(deletes.then[0].cells,
            (std::vector<Cell>{{.family = "m", .qualifier = "b", .timestamp = 9, .type = CellType::kDeleteColumn}}));
  deletes = {};
  one_bucket_.AddSettled(row, &deletes);
  EXPECT_TRUE(deletes.first.empty() && deletes.then.empty()) << "once";
}

/// The first attempt's note stands at 12, its intent never came. Another one's intent, at 11, may have been acted upon.
TEST_F(StateWritesTest, ANoteGoesNoFurtherThanTheState) {
  RowWork* row = Dirty("b", 10);
  row->noted = true;
  indexer::InOrder deletes;
  one_bucket_.AddSettled(row, &deletes);
  ASSERT_EQ(deletes.then.size(), 1u);
  EXPECT_EQ(deletes.then[0].cells[0].timestamp, 10);
}

TEST_F(StateWritesTest, ANoteStaysOfARowWhoseIntentsWereNotRead) {
  RowWork* row = Dirty("b", 10);
  row->noted = true;
  row->loaded = false;
  indexer::InOrder deletes;
  one_bucket_.AddSettled(row, &deletes);
  EXPECT_TRUE(deletes.then.empty());
}

TEST_F(StateWritesTest, WhatStillCountsStays) {
  RowWork* row = Dirty("b", 9);
  indexer::InOrder puts, deletes;
  one_bucket_.AddIntent("12345678", {{}}, 9, UnitOf(row), &puts);
  UnitOf(row)->unit.doubt = {.intent = true, .snapshots = {{}}};
  one_bucket_.AddSettled(row, &deletes);
  EXPECT_TRUE(deletes.first.empty() && deletes.then.empty());
}

/// Of a hundred states of a bucket, read together, none is large: so a read of them is not.
TEST_F(StateWritesTest, ALargeStateStandsApartAndIsNotedBefore) {
  RowWork* row = Dirty("b", 9);
  UnitOf(row)->unit.columns[0].newest.value = std::string(17'000, 'x');
  UnitOf(row)->unit.doubt = {.snapshots = {{.cells = {{"f", "k", 3, "seen"}}}}};
  const indexer::InOrder puts = one_bucket_.States(in_order_);
  ASSERT_EQ(puts.first.size(), 1u);
  EXPECT_EQ(puts.first[0].row, bucket_);
  EXPECT_EQ(puts.first[0].cells, (std::vector<Cell>{{.family = "m", .qualifier = "b", .timestamp = 9}}));
  ASSERT_EQ(puts.then.size(), 1u);
  EXPECT_EQ(puts.then[0].row, "b");
  ASSERT_EQ(puts.then[0].cells.size(), 2u);
  EXPECT_EQ(puts.then[0].cells[0].family + puts.then[0].cells[0].qualifier, "dd");
  EXPECT_EQ(puts.then[0].cells[1].family + puts.then[0].cells[1].qualifier, "s");
  EXPECT_TRUE(row->apart);
  row->noted = true;
  indexer::InOrder deletes;
  one_bucket_.AddSettled(row, &deletes);
  EXPECT_TRUE(deletes.then.empty()) << "the note tells of it";
}

TEST_F(StateWritesTest, WhoseStateAMutationIs) {
  Dirty("b", 9);
  EXPECT_EQ(one_bucket_.SourceRowOf(one_bucket_.States(in_order_).then[0]), "b");
  EXPECT_EQ(rows_of_their_own_.SourceRowOf(rows_of_their_own_.States(in_order_).then[0]), "b");
}

}  // namespace
}  // namespace fensi::testing
