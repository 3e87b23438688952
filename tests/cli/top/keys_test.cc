#include "cli/top/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

TEST(KeyReader, LettersAndArrowsAreKeysAndAllElseIsAnother) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("xi\x1b[Bp\x1b[A?s\x1b[5~\x1bOB"),
              ElementsAre(Key::kOther, Key::kIndexes, Key::kDown, Key::kPartitions, Key::kUp, Key::kHelp, Key::kSort,
                          Key::kOther, Key::kDown));
  EXPECT_THAT(reader.Take("\r\tq"), ElementsAre(Key::kPartitions, Key::kOther, Key::kQuit));
}

TEST(KeyReader, AnArrowMayComeInPieces) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("\x1b"), IsEmpty());
  EXPECT_THAT(reader.Take("["), IsEmpty());
  EXPECT_THAT(reader.Take("A"), ElementsAre(Key::kUp));
}

TEST(KeyReader, ASequenceWithoutEndIsGivenUp) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("\x1b[" + std::string(100, ';')), ElementsAre(Key::kOther));
  EXPECT_THAT(reader.Take("q"), ElementsAre(Key::kQuit));
}

TEST(KeyReader, AnEscapeAloneSwallowsNoKeyBehindIt) {
  KeyReader reader;
  EXPECT_THAT(reader.Take("\x1b"), IsEmpty());
  EXPECT_THAT(reader.Take("q"), ElementsAre(Key::kOther, Key::kQuit));
}

TEST(KeyReader, AnEscapeBehindWhichNothingComesIsAKey) {
  KeyReader reader;
  EXPECT_THAT(reader.Pause(), IsEmpty());
  EXPECT_THAT(reader.Take("\x1b"), IsEmpty());
  EXPECT_THAT(reader.Pause(), ElementsAre(Key::kOther));
  EXPECT_THAT(reader.Pause(), IsEmpty());
  EXPECT_THAT(reader.Take("q"), ElementsAre(Key::kQuit));
}

}  // namespace
}  // namespace fensi::cli
