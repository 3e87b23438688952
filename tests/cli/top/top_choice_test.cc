// Keys on what is shown.
#include "cli/top/top_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/top/told.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

class TopChoiceTest : public ::testing::Test {
 protected:
  TopChoiceTest() {
    for (int64_t second : {1, 2}) {
      Told(second,
           {{ToldBy("one:1", {ToldIndex("a", 10 * second, {{0, 5, 90}}), ToldIndex("b", 30 * second, {{0, 50, 2}}),
                              ToldIndex("c", 20 * second, {})})},
            {}},
           &figures_);
    }
  }
  TopChoice After(std::initializer_list<Key> keys, TopChoice choice = {}) const {
    for (const Key key : keys) choice = AfterKey(key, choice, figures_);
    return choice;
  }

  TopFigures figures_;
};

TEST_F(TopChoiceTest, SortingGoesThroughAllWays) {
  EXPECT_THAT(Ordered(figures_, After({}).sort), ElementsAre("b", "a", "c"));
  EXPECT_THAT(Ordered(figures_, After({Key::kSort}).sort), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Ordered(figures_, After({Key::kSort, Key::kSort}).sort), ElementsAre("b", "c", "a"));
  EXPECT_EQ(After({Key::kSort, Key::kSort, Key::kSort}).sort, TopSort::kName);
  EXPECT_EQ(After({Key::kSort, Key::kSort, Key::kSort, Key::kSort}).sort, TopSort::kBehind);
}

TEST_F(TopChoiceTest, TheMarkStaysOnItsIndexAndWithinTheList) {
  EXPECT_EQ(MarkedIndex(figures_, After({})), "b");
  EXPECT_EQ(MarkedIndex(figures_, After({Key::kUp})), "b");
  EXPECT_EQ(MarkedIndex(figures_, After({Key::kDown})), "a");
  EXPECT_EQ(MarkedIndex(figures_, After({Key::kDown, Key::kSort})), "a");
  EXPECT_EQ(MarkedIndex(figures_, After({Key::kDown, Key::kDown, Key::kDown, Key::kDown})), "c");
}

TEST_F(TopChoiceTest, PartitionsAreThoseOfTheMarkedIndexAndTheKeysMoveThroughThem) {
  const TopChoice choice = After({Key::kDown, Key::kPartitions, Key::kDown, Key::kDown, Key::kUp});
  EXPECT_EQ(choice.view, TopView::kPartitions);
  EXPECT_EQ(choice.index, "a");
  EXPECT_EQ(choice.skipped, 1u);
  EXPECT_EQ(After({Key::kIndexes}, choice).view, TopView::kIndexes);
}

TEST_F(TopChoiceTest, AnyKeyEndsTheHelpAndDoesNothingElse) {
  const TopChoice choice = After({Key::kHelp, Key::kPartitions});
  EXPECT_FALSE(choice.help);
  EXPECT_EQ(choice.view, TopView::kIndexes);
}

TEST_F(TopChoiceTest, NothingAtAllIsNoFault) {
  const TopFigures none;
  for (const Key key : {Key::kUp, Key::kDown, Key::kPartitions, Key::kSort}) {
    EXPECT_EQ(MarkedIndex(none, AfterKey(key, {}, none)), "");
  }
}

}  // namespace
}  // namespace fensi::cli
