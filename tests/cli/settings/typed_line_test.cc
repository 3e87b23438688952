// The line that a command shows for a person to run.
#include <gtest/gtest.h>

#include "cli/flags/flags.h"
#include "cli/settings/command_line.h"

namespace fensi::cli {
namespace {

TEST(TypedLine, HasTheArgumentsAndTypedFlagsQuotedForAShell) {
  Command command;
  command.name = "dead-letters";
  command.flags = FlagUses("reason all kind");
  SetFlag("reason", "a test of ours", true);
  SetFlag("all", "true", true);
  SetFlag("kind", "rejected", false);
  EXPECT_EQ(TypedLine(command, {"discard", "it's.yaml", "fensi"}),
            "fensi dead-letters discard 'it'\\''s.yaml' fensi --reason='a test of ours' --all");
}

}  // namespace
}  // namespace fensi::cli
