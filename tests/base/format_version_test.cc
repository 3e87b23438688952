// Which formats of what is kept a program reads.
#include "base/format_version.h"

#include <gtest/gtest.h>

namespace fensi {
namespace {

Status Check(int64_t found, int64_t written) { return CheckFormat("the index", found, written, "build it again"); }

TEST(FormatVersion, AProgramReadsWhatItWritesAndTheFormatBefore) {
  EXPECT_TRUE(Check(1, 1).ok());
  EXPECT_TRUE(Check(3, 3).ok());
  EXPECT_TRUE(Check(2, 3).ok());
}

TEST(FormatVersion, WhatANewerProgramWroteIsRefusedAndNamesTheWayBack) {
  EXPECT_EQ(Check(4, 3).code(), StatusCode::kConfiguration);
  EXPECT_EQ(
      Check(4, 3).message(),
      "the index has format 4, and this fensi reads 2 and 3: a newer fensi wrote it; run that version, or a newer "
      "one");
}

TEST(FormatVersion, WhatIsTwoFormatsOldIsRefusedWithTheRemedy) {
  EXPECT_EQ(Check(1, 3).code(), StatusCode::kConfiguration);
  EXPECT_EQ(Check(1, 3).message(),
            "the index has format 1, and this fensi reads 2 and 3: an older fensi wrote it, in a format that this "
            "fensi cannot read; build "
            "it again");
}

TEST(FormatVersion, ZeroIsNoFormatOfAnyProgram) {
  EXPECT_FALSE(Check(0, 1).ok());
  EXPECT_FALSE(Check(-1, 1).ok());
}

}  // namespace
}  // namespace fensi
