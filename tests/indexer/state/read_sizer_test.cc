// How many states a batch may read at once: slow at first, then as the last ones allowed.
#include "indexer/state/read_sizer.h"

#include <gtest/gtest.h>

namespace fensi::testing {
namespace {

using indexer::ReadSizer;

TEST(ReadSizer, DoublesWhileStatesAreSmallUpToABound) {
  ReadSizer pace;
  const size_t first = pace.units();
  pace.NoteUnits(first, first * 10);
  EXPECT_EQ(pace.units(), 2 * first);
  for (int i = 0; i < 20; ++i) pace.NoteUnits(pace.units(), pace.units() * 10);
  const size_t most = pace.units();
  pace.NoteUnits(most, most * 10);
  EXPECT_EQ(pace.units(), most);
}

TEST(ReadSizer, FallsAtOnceToWhatFitsWhenStatesAreLarge) {
  ReadSizer pace;
  pace.NoteUnits(pace.units(), pace.units() * (ReadSizer::kBytes / 4));
  EXPECT_EQ(pace.units(), 4u);
  pace.NoteRows(pace.rows(), pace.rows() * ReadSizer::kBytes * 2);
  EXPECT_EQ(pace.rows(), 1u) << "one is always read";
}

TEST(ReadSizer, LittleThatWasReadMayLowerItAndNeverRaisesIt) {
  ReadSizer pace;
  const size_t first = pace.units();
  pace.NoteUnits(1, 10);
  EXPECT_EQ(pace.units(), first);
  pace.NoteUnits(1, ReadSizer::kBytes / 2);
  EXPECT_EQ(pace.units(), 2u);
  pace.NoteUnits(0, 0);
  EXPECT_EQ(pace.units(), 2u);
}

}  // namespace
}  // namespace fensi::testing
