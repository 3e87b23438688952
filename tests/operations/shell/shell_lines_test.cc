#include "operations/shell/shell_lines.h"

#include <gtest/gtest.h>

#include "tests/support/rich_family.h"

namespace fensi::operations {
namespace {

Cell CellOf(CellType type) { return {.family = "f", .qualifier = "q", .timestamp = 7, .type = type}; }

TEST(ShellCell, IsTheCommandThatWritesAMarkerOfItsKind) {
  EXPECT_EQ(ShellCell("t", "r", CellOf(CellType::kDeleteColumn), ""), "deleteall \"t\", \"r\", \"f:q\", 7\n");
  EXPECT_EQ(ShellCell("t", "r", CellOf(CellType::kDelete), ""), "delete \"t\", \"r\", \"f:q\", 7\n");
  EXPECT_EQ(ShellCell("t", "r", CellOf(CellType::kDeleteFamily), ""), "deleteall \"t\", \"r\", \"f\", 7\n");
  EXPECT_EQ(ShellCell("t", "r", CellOf(CellType::kDeleteFamilyVersion), ""), "delete \"t\", \"r\", \"f\", 7\n");
}

TEST(ShellCell, HasTextAsBytesThatRubyReads) {
  Cell cell = CellOf(CellType::kPut);
  cell.value = "关\\\"#{x}\n";
  EXPECT_EQ(ShellCell("n:t", "a b", cell, "what it is"),
            "put \"n:t\", \"a b\", \"f:q\", \"\\xE5\\x85\\xB3\\x5C\\\"\\#{x}\\x0A\", 7  # what it is\n");
}

TEST(ShellCell, OfAColumnThatTheShellCannotNameIsAComment) {
  Cell cell = CellOf(CellType::kPut);
  cell.qualifier = "a:b";
  EXPECT_EQ(ShellCell("t", "r", cell, ""),
            "# the shell cannot name this column: put \"t\", \"r\", \"f:a:b\", \"\", 7\n");
  cell.qualifier = "";
  EXPECT_EQ(ShellCell("t", "r", cell, ""), "put \"t\", \"r\", \"f:\", \"\", 7\n");
}

TEST(ShellCreate, NamesWhatIsNotHBasesDefault) {
  const store::FamilyDescriptor plain{.name = "a"};
  const store::FamilyDescriptor rich = testing::RichFamily("b", 60, {{"k", "v"}});
  EXPECT_EQ(ShellCreate({"t", {plain, rich}}, {"m", std::string("'\0\xff", 3)}),
            "create \"t\", {NAME => \"a\", VERSIONS => 1, BLOOMFILTER => \"ROW\", COMPRESSION => \"NONE\"}, "
            "{NAME => \"b\", VERSIONS => 5, MIN_VERSIONS => 2, TTL => 60, BLOOMFILTER => \"ROWCOL\", COMPRESSION => "
            "\"GZ\", IN_MEMORY => 'true', BLOCKCACHE => 'false', BLOCKSIZE => 8192, REPLICATION_SCOPE => 1, "
            "CONFIGURATION => {\"k\" => \"v\"}}, SPLITS => ['m', '\\x27\\x00\\xFF']\n");
}

TEST(ShellCreate, MakesTheNamespaceToo) {
  EXPECT_EQ(ShellCreate({"n:t", {{.name = "a"}}}, {}),
            "create_namespace \"n\"  # leave it out where there is one\n"
            "create \"n:t\", {NAME => \"a\", VERSIONS => 1, BLOOMFILTER => \"ROW\", COMPRESSION => \"NONE\"}\n");
}

TEST(ShellComment, IsOneForEachLine) {
  EXPECT_EQ(ShellComment("a\nb\n"), "# a\n# b\n");
  EXPECT_EQ(ShellComment(""), "");
}

}  // namespace
}  // namespace fensi::operations
