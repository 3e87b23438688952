// How a command names the flags that it takes.
#include "cli/program/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fensi::cli {
namespace {

TEST(FlagUses, KeepTheirOrderAndSayWhichAreRequiredAndWhichAreHidden) {
  const std::vector<FlagUse> uses = FlagUses("store! kafka fault?");
  ASSERT_EQ(uses.size(), 3U);
  EXPECT_EQ(uses[0].name, "store");
  EXPECT_TRUE(uses[0].required && !uses[0].hidden);
  EXPECT_EQ(uses[1].name, "kafka");
  EXPECT_FALSE(uses[1].required || uses[1].hidden);
  EXPECT_EQ(uses[2].name, "fault");
  EXPECT_TRUE(uses[2].hidden && !uses[2].required);
  EXPECT_THAT(FlagUses(""), ::testing::IsEmpty());
}

}  // namespace
}  // namespace fensi::cli
