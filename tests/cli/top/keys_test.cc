#include "cli/top/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

TEST(KeyReader, LettersAndArrowsAreKeysAndAllElseIsNothing) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("x\ti\x1b[Bp\x1b[A?s\x1b[5~\x1bOB"),
              ElementsAre(Key::kIndexes, Key::kDown, Key::kPartitions, Key::kUp, Key::kHelp, Key::kSort, Key::kDown));
  EXPECT_THAT(reader.Take("\r\xe5\x8d\x87q"), ElementsAre(Key::kPartitions, Key::kQuit));
}

TEST(KeyReader, AnArrowMayComeInPieces) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("\x1b"), IsEmpty());
  EXPECT_THAT(reader.Take("["), IsEmpty());
  EXPECT_THAT(reader.Take("A"), ElementsAre(Key::kUp));
}

TEST(KeyReader, ASequenceWithoutEndIsGivenUp) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("\x1b[" + std::string(100, ';')), IsEmpty());
  EXPECT_THAT(reader.Take("q"), ElementsAre(Key::kQuit));
}

TEST(KeyReader, AnEscapeAloneSwallowsNoKeyBehindIt) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("\x1b"), IsEmpty());
  EXPECT_THAT(reader.Take("q"), ElementsAre(Key::kQuit));
}

}  // namespace
}  // namespace fensi::cli
