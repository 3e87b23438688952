// Which flags a reload finds changed.
#include "cli/settings/settled_again.h"

#include <gtest/gtest.h>

namespace fensi::cli {
namespace {

TEST(SettledAgainTest, NamesWhatHasAnotherValueNowAndWhereFrom) {
  Command command;
  command.flags = {{"workers"}, {"log_level"}, {"connections"}, {"flagfile"}};
  const std::vector<FlagSetting> before = {{"workers", "9", "f:1"}, {"connections", "8", "f:2"}, {"flagfile", "f", ""}};
  const std::vector<FlagSetting> now = {{"log_level", "debug", "f:1"}, {"connections", "8", "f:7"}};
  const std::vector<FlagSetting> changed = ChangedSettings(command, before, now);
  ASSERT_EQ(changed.size(), 2u);
  EXPECT_EQ(changed[0].name, "workers");
  EXPECT_EQ(changed[0].value, FlagDefault("workers"));
  EXPECT_EQ(changed[0].origin, "default");
  EXPECT_EQ(changed[1].name, "log_level");
  EXPECT_EQ(changed[1].value, "debug");
  EXPECT_EQ(changed[1].origin, "f:1");
}

TEST(SettledAgainTest, WhatStandsElsewhereWithTheSameValueIsNoChange) {
  Command command;
  command.flags = {{"log_level"}};
  EXPECT_TRUE(ChangedSettings(command, {{"log_level", "info", "f:1"}}, {}).empty()) << "its default";
}

}  // namespace
}  // namespace fensi::cli
