// Where the dead letters of an index are opened.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "mapping/diagnostics.h"
#include "mapping/mapping.h"
#include "operations/dead_letters/dead_letter_log.h"

namespace fensi::operations {
namespace {

TEST(OpenLetters, OfAFileAreReadWithoutKafka) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
      &diagnostics);
  const std::string path = ::testing::TempDir() + "opening_test.jsonl";
  std::ofstream(path).close();
  const Result<OpenedLetters> opened = OpenLetters(*mappings.at(0).indexes.at(0), {path, {}});
  ASSERT_TRUE(opened.ok()) << opened.status().message();
  EXPECT_EQ(opened->log->name(), "file " + path);
  EXPECT_EQ(opened->log->index(), "i");
  std::remove(path.c_str());
  EXPECT_FALSE(OpenLetters(*mappings.at(0).indexes.at(0), {path, {}}).ok());
}

}  // namespace
}  // namespace fensi::operations
