#include "store/hbase/calls/call_sequences.h"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/store/contract/store_contract.h"
#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

RowMutation Mutation(const std::string& row, size_t cells = 1, size_t value_bytes = 1) {
  RowMutation mutation{row, {}};
  for (size_t i = 0; i < cells; ++i) {
    mutation.cells.push_back(PutCell("f:" + std::to_string(i), 1, std::string(value_bytes, 'v')));
  }
  return mutation;
}

std::vector<CallSequence> Cut(const std::vector<RowMutation>& rows, int connections, const BatchLimits& limits = {}) {
  std::vector<size_t> all(rows.size());
  std::iota(all.begin(), all.end(), 0);
  return CutIntoSequences(rows, all, connections, limits);
}

std::vector<size_t> SizesOf(const std::vector<CallSequence>& sequences) {
  std::vector<size_t> sizes;
  for (const CallSequence& sequence : sequences) {
    for (const Batch& batch : sequence) sizes.push_back(batch.size());
  }
  return sizes;
}

std::vector<RowMutation> DistinctRows(int count) {
  std::vector<RowMutation> rows;
  for (int i = 0; i < count; ++i) rows.push_back(Mutation(std::to_string(i)));
  return rows;
}

TEST(CutIntoSequences, KeepsASmallBatchTogether) { EXPECT_THAT(SizesOf(Cut(DistinctRows(200), 4)), ElementsAre(200)); }

TEST(CutIntoSequences, SharesALargeBatch) {
  EXPECT_THAT(SizesOf(Cut(DistinctRows(2000), 4)), ElementsAre(500, 500, 500, 500));
}

TEST(CutIntoSequences, GivesEachConnectionOneCallAlsoOfRowsThatDoNotFitExactly) {
  std::vector<RowMutation> rows;
  for (int i = 0; i < 501; ++i) rows.push_back(Mutation(std::to_string(i), 10));
  EXPECT_THAT(SizesOf(Cut(rows, 4, {.cells = 5000})), ElementsAre(126, 126, 126, 123));
}

TEST(CutIntoSequences, SharesTheOthersWhereOneRowIsWide) {
  std::vector<RowMutation> rows = DistinctRows(4000);
  rows.push_back(Mutation("wide", 3000));
  EXPECT_GE(Cut(rows, 4, {.cells = 5000}).size(), 3u);
}

TEST(CutIntoSequences, MakesNoCallLargerThanTheLimits) {
  EXPECT_THAT(SizesOf(Cut(DistinctRows(2500), 1)), ElementsAre(1000, 1000, 500));
  const std::vector<RowMutation> fat = {Mutation("a", 1, 900), Mutation("b", 1, 900), Mutation("c", 1, 900)};
  EXPECT_THAT(SizesOf(Cut(fat, 1, {.cells = 1000, .bytes = 2000})), ElementsAre(2, 1));
}

TEST(CutIntoSequences, SendsARowThatExceedsTheLimitsAlone) {
  const std::vector<RowMutation> rows = {Mutation("a"), Mutation("wide", 50), Mutation("b")};
  EXPECT_THAT(SizesOf(Cut(rows, 1, {.cells = 10})), ElementsAre(1, 1, 1));
}

TEST(CutIntoSequences, KeepsMutationsOfOneRowInOneSequenceAndInOrder) {
  const std::vector<RowMutation> rows = {Mutation("a", 6), Mutation("b", 6), Mutation("a", 6), Mutation("a", 6)};
  const std::vector<CallSequence> sequences = Cut(rows, 4, {.cells = 10});
  EXPECT_THAT(sequences, ElementsAre(CallSequence{{0}, {2}, {3}}, CallSequence{{1}}));
}

TEST(CutIntoSequences, TakesOnlyTheWantedRows) {
  const std::vector<RowMutation> rows = DistinctRows(5);
  const std::vector<size_t> wanted = {1, 4};
  EXPECT_THAT(CutIntoSequences(rows, wanted, 4), ElementsAre(CallSequence{{1, 4}}));
  EXPECT_TRUE(CutIntoSequences(rows, {}, 4).empty());
}

}  // namespace
}  // namespace fensi::store
