#include "base/shown_text.h"

#include <gtest/gtest.h>

namespace fensi {
namespace {

TEST(DurationText, UsesTheTwoLargestUnits) {
  EXPECT_EQ(DurationText(59), "59 s");
  EXPECT_EQ(DurationText(75), "1 m 15 s");
  EXPECT_EQ(DurationText(7260), "2 h 1 m");
}

TEST(SanitizeForTerminal, SteersNoTerminalAndPassesForNoLineOfItsOwn) {
  EXPECT_EQ(SanitizeForTerminal("a\x1b[31mb\x07\x7f"), "a?[31mb??");
  EXPECT_EQ(SanitizeForTerminal("a\xC2\x9B"
                                "b"),
            "a?b");
  EXPECT_EQ(SanitizeForTerminal("one\ntwo"), "one\n  two");
  EXPECT_EQ(SanitizeForTerminal("粉\t丝\n"), "粉\t丝\n");
}

}  // namespace
}  // namespace fensi
