#include "cli/program/suggest.h"

#include <gtest/gtest.h>

#include <vector>

#include "cli/program/output.h"

namespace fensi::cli {
namespace {

const std::vector<std::string> kCommands = {"run", "scan", "check", "create"};

TEST(DidYouMean, NamesTheNearestKnownName) {
  EXPECT_EQ(DidYouMean("chekc", kCommands), "; did you mean 'check'?");
  EXPECT_EQ(DidYouMean("craete", kCommands), "; did you mean 'create'?");
}

TEST(DidYouMean, IsSilentWhenNothingIsNear) {
  EXPECT_EQ(DidYouMean("publish", kCommands), "");
  EXPECT_EQ(DidYouMean("x", {}), "");
}

TEST(DurationText, UsesTheTwoLargestUnits) {
  EXPECT_EQ(DurationText(59), "59 s");
  EXPECT_EQ(DurationText(75), "1 m 15 s");
  EXPECT_EQ(DurationText(7260), "2 h 1 m");
}

}  // namespace
}  // namespace fensi::cli
