#include <gtest/gtest.h>

#include <vector>

#include "base/shown_text.h"

namespace fensi {
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

}  // namespace
}  // namespace fensi
