#include "operations/access/flag_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fensi::operations {
namespace {

TEST(FlagFaults, SayWhatToDo) {
  EXPECT_EQ(FlagRequires("--interval_s", "--watch").message(), "--interval_s requires --watch");
  EXPECT_EQ(FlagsExclude("--last", "--from").message(), "--last cannot be combined with --from. Leave one of them out");
  EXPECT_EQ(FlagsExclude("--sample", "--distributed", "it ends first").message(),
            "--sample cannot be combined with --distributed: it ends first. Leave one of them out");
  EXPECT_EQ(FlagsTogether("--a", "--b").message(), "--a and --b require each other: give both or neither");
  EXPECT_THAT(FileExists("/tmp/report").message(), ::testing::HasSubstr("/tmp/report exists"));
  EXPECT_EQ(FileExists("f").code(), StatusCode::kInvalidArgument);
}

TEST(FlagFaults, RowsNeedOneWayAndARange) {
  EXPECT_TRUE(CheckRowFlags("", "", "").ok());
  EXPECT_TRUE(CheckRowFlags("a", "", "").ok());
  EXPECT_TRUE(CheckRowFlags("", "a", "b").ok());
  EXPECT_TRUE(CheckRowFlags("", "b", "").ok()) << "to the end of the table";
  EXPECT_TRUE(CheckRowFlags("", "\\x00", "a").ok()) << "the bytes count, and not their escaped form";
  EXPECT_THAT(CheckRowFlags("a", "a", "").message(), ::testing::HasSubstr("--prefix cannot be combined with"));
  EXPECT_THAT(CheckRowFlags("", "a", "a").message(), ::testing::HasSubstr("less than --stop_row"));
  EXPECT_EQ(CheckRowFlags("", "b", "a").code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace fensi::operations
