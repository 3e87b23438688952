// Cells that the store will never take: the letter names the source row they came from, and nobody else loses any.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/indexer/support/refusing_store.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

constexpr size_t kOneMiB = size_t{1} << 20;

/// The value of an entry is twice that of the source cell.
Rule TwiceRule() {
  return {"twice", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}{f:v | default none}' }\n",
          [](const std::string&, const SourceModel::VisibleRow&, Entries*) {}};
}

class Refusals : public ::testing::Test {
 protected:
  Status Apply(const std::vector<ChangeEvent>& events) {
    return world_.NewMaintainer(false, &refusing_)->Apply(world_.MakeBatch(events));
  }
  ChangeEvent Row(const std::string& row, const std::string& key, const std::string& value, int64_t timestamp) {
    ++sequence_;
    return {.table = "source",
            .row = row,
            .cells = {{.family = "f", .qualifier = "k", .timestamp = timestamp, .value = key},
                      {.family = "f", .qualifier = "v", .timestamp = timestamp, .value = value}},
            .sequence_id = sequence_};
  }
  std::vector<consumer::DeadLetter> letters() { return world_.letters()->letters(); }

  World world_{TwiceRule(), false};
  RefusingStore refusing_{world_.store()};
  uint64_t sequence_ = 0;
};

TEST_F(Refusals, ACellAboveHBasesLimitCostsOnlyItsOwnRow) {
  const std::string large(6 * kOneMiB, 'x');
  const std::vector<ChangeEvent> events = {Row("r0", "k", "0", 5), Row("r1", "k", "1", 5), Row("r2", "k", large, 5),
                                           Row("r3", "k", "3", 5), Row("r4", "k", "4", 5)};
  ASSERT_TRUE(Apply(events).ok());
  EXPECT_EQ(world_.Actual(),
            (Entries{{{"k", "f:r0"}, "00"}, {{"k", "f:r1"}, "11"}, {{"k", "f:r3"}, "33"}, {{"k", "f:r4"}, "44"}}));
  ASSERT_EQ(letters().size(), 1u);
  EXPECT_EQ(letters()[0].row, "r2");
  EXPECT_EQ(letters()[0].offset, 2);
  EXPECT_THAT(letters()[0].reason, HasSubstr("f:r2"));
}

TEST_F(Refusals, ACellThatTheServerRefusesCostsOnlyItsOwnRow) {
  refusing_.Refuse("f", "r1");
  const std::vector<ChangeEvent> events = {Row("r0", "k", "0", 5), Row("r1", "k", "1", 5), Row("r2", "k", "2", 5)};
  ASSERT_TRUE(Apply(events).ok());
  EXPECT_EQ(world_.Actual(), (Entries{{{"k", "f:r0"}, "00"}, {{"k", "f:r2"}, "22"}}));
  ASSERT_EQ(letters().size(), 1u);
  EXPECT_EQ(letters()[0].row, "r1");
}

TEST_F(Refusals, AnEntryWhoseNewValueIsRefusedIsNotLeftWithItsOldOne) {
  ASSERT_TRUE(Apply({Row("r0", "k", "0", 5), Row("r1", "k", "1", 5)}).ok());
  ASSERT_TRUE(Apply({Row("r0", "k", "new", 6), Row("r1", "k", std::string(6 * kOneMiB, 'x'), 6)}).ok());
  EXPECT_EQ(world_.Actual(), (Entries{{{"k", "f:r0"}, "newnew"}}));
  ASSERT_TRUE(Apply({Row("r1", "k", "small", 7)}).ok());
  EXPECT_EQ(world_.Actual(), (Entries{{{"k", "f:r0"}, "newnew"}, {{"k", "f:r1"}, "smallsmall"}}));
  EXPECT_EQ(letters().size(), 1u);
}

TEST_F(Refusals, AnEntryThatGoesAndIsRefusedWhenItComesBackIsNotLeftWithItsOldValue) {
  ASSERT_TRUE(Apply({Row("r0", "k", "old", 5)}).ok());
  ASSERT_TRUE(Apply({Row("r0", "other", "old", 6), Row("r0", "k", std::string(6 * kOneMiB, 'x'), 7)}).ok());
  EXPECT_EQ(world_.Actual(), Entries());
  EXPECT_EQ(letters().size(), 1u);
}

TEST_F(Refusals, ARowWhoseEntryWasRefusedMovesOnWithItsKey) {
  refusing_.Refuse("f", "r1");
  ASSERT_TRUE(Apply({Row("r0", "a", "0", 5), Row("r1", "a", "1", 5)}).ok());
  refusing_.Refuse("f", "");
  ASSERT_TRUE(Apply({Row("r0", "b", "0", 6), Row("r1", "b", "1", 6)}).ok());
  EXPECT_EQ(world_.Actual(), (Entries{{{"b", "f:r0"}, "00"}, {{"b", "f:r1"}, "11"}}));
}

TEST_F(Refusals, ARefusedRemovalIsALetterOfTheRowThatLostTheEntry) {
  ASSERT_TRUE(Apply({Row("r0", "a", "0", 5), Row("r1", "a", "1", 5)}).ok());
  refusing_.Refuse("f", "r1");
  refusing_.RefuseDeletes();
  ASSERT_TRUE(Apply({Row("r0", "b", "0", 6), Row("r1", "b", "1", 6)}).ok());
  ASSERT_EQ(letters().size(), 1u);
  EXPECT_EQ(letters()[0].row, "r1");
  EXPECT_EQ(world_.Actual().count({"a", "f:r0"}), 0u);
}

}  // namespace
}  // namespace fensi::testing
