// What a shared index does not promise: seen, so that the promise says no more and no less.
#include <gtest/gtest.h>

#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

/// What is left of a row that had two values in one millisecond, when it is gone. Attempts told it again and died.
Entries LeftOfTwoValues(bool with_sequence_ids) {
  Scenario s(SharedRule());
  std::vector<ChangeEvent> events;
  for (const char* cell : {"k=a@5", "k=b@5", "k=z@3"}) {
    events.push_back(s.Happens(cell));
    if (!with_sequence_ids) events.back().sequence_id = 0;
  }
  const std::vector<ChangeEvent> both = {events[0], events[1]};
  s.Tells(both);
  s.Tells(both);
  s.DiesBeforeStates({events[2]});
  s.Tells(events);
  EXPECT_EQ(s.Difference(), "");
  s.Tells({s.Happens("DC:k@20")});
  return s.Index();
}

TEST(SharedCells, OfTwoValuesInOneMillisecondAreExactWithSequenceIds) { EXPECT_EQ(LeftOfTwoValues(true), Entries()); }

TEST(SharedCells, OfTwoValuesInOneMillisecondWithoutSequenceIdsMayStayAfterADeath) {
  EXPECT_EQ(LeftOfTwoValues(false), (Entries{{{"b", "f:"}, "b"}}));
}

}  // namespace
}  // namespace fensi::testing
