// Variables of the environment, as no shell makes them.
#include "cli/settings/variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>

#include "cli/commands/commands.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

using ::testing::EndsWith;

class VariablesTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { SetCommands(MakeCommands()); }

  static SettingList Read(const std::vector<std::string>& variables) {
    std::vector<std::string> all;
    for (const std::string& variable : variables) all.push_back("FENSI_" + variable);
    return ReadVariables(*FindCommand("run"), all);
  }
};

TEST_F(VariablesTest, AVariableThatIsThereTwiceIsRefused) {
  EXPECT_THAT(Read({"WORKERS=1", "CONNECTIONS=1", "WORKERS=2"}).faults(),
              ElementsAre(EndsWith("_WORKERS: given twice; remove one")));
}

TEST_F(VariablesTest, AValueMayHaveEqualSigns) {
  const SettingList list = Read({"KAFKA_PROPERTY=client.id=a=b"});
  ASSERT_NE(list.Find("kafka_property"), nullptr);
  EXPECT_EQ(list.Find("kafka_property")->value, "client.id=a=b");
}

TEST_F(VariablesTest, WhatHasNoNameOrNoEqualSignIsPassedOver) {
  const SettingList list = Read({"WORKERS", "=1", ""});
  EXPECT_THAT(list.settings(), IsEmpty());
  EXPECT_THAT(list.faults(), IsEmpty());
}

/// Somebody's name for a flag is an interface: none may look like what Kubernetes makes, or like a switch of the tests.
TEST_F(VariablesTest, EveryFlagOfACommandIsTakenByItsName) {
  for (const Command& command : AllCommands()) {
    for (const FlagUse& use : command.flags) {
      std::string name = "FENSI_" + use.name;
      for (char& c : name) c = static_cast<char>(std::toupper(c));
      EXPECT_TRUE(ReadVariables(command, std::vector{name + "=x"}).Names(use.name)) << command.name << " " << name;
    }
  }
}

}  // namespace
}  // namespace fensi::cli
