// What one maintainer does and does not do with its calls.
#include <gtest/gtest.h>

#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

using Call = store::FaultyStore::Call;

TEST(StatefulMaintainer, PlansNothingForALostPartition) {
  Scenario s(ValueRule());
  const ChangeEvent event = s.Happens("k=b@11");
  s.world()->assignment()->Lose();
  const int calls = s.world()->faulty()->Calls();
  EXPECT_EQ(s.world()->NewMaintainer(false)->Apply(s.world()->MakeBatch({&event, 1})).code(), StatusCode::kFenced);
  EXPECT_EQ(s.world()->faulty()->Calls(), calls);
}

TEST(StatefulMaintainer, MakesNoFurtherCallOnceThePartitionIsLost) {
  for (int lost_at = 1; lost_at <= 3; ++lost_at) {
    Scenario s(ValueRule());
    s.Tells({s.Happens("k=b@11")});
    const ChangeEvent event = s.Happens("k=c@12");
    int calls = 0;
    s.world()->faulty()->SetObserver([&](Call, const std::string&) {
      if (++calls == lost_at) s.world()->assignment()->Lose();
      return Status();
    });
    const Status applied = s.world()->NewMaintainer(false)->Apply(s.world()->MakeBatch({&event, 1}));
    EXPECT_EQ(applied.code(), StatusCode::kFenced);
    EXPECT_EQ(calls, lost_at) << "a call was made after the loss";
  }
}

TEST(StatefulMaintainer, ReadsTheStatesOfABatchInOneCallAndWritesEachTableOnce) {
  Scenario s(ValueRule());
  std::vector<ChangeEvent> first, second;
  for (int i = 0; i < 50; ++i) first.push_back(s.Happens("k=b@11", "r" + std::to_string(i)));
  for (int i = 0; i < 50; ++i) second.push_back(s.Happens("k=c@12", "r" + std::to_string(i)));
  s.Tells(first);
  s.Restarts();
  const int before = s.world()->faulty()->Calls();
  s.Tells(second);
  EXPECT_EQ(s.world()->faulty()->Calls() - before, 4) << "states read, puts, removals, states written";
  EXPECT_EQ(s.Difference(), "");
}

TEST(StatefulMaintainer, DoesNotReadWhatItJustWrote) {
  Scenario s(ValueRule());
  s.Tells({s.Happens("k=b@11")});
  s.Restarts();
  s.Tells({s.Happens("k=c@12")});
  s.Tells({s.Happens("k=d@13")});
  EXPECT_EQ(s.world()->counters()->state_reads, 1);
  EXPECT_EQ(s.Difference(), "");
}

TEST(StatefulMaintainer, MakesDeadLettersDurableBeforeTheBatchIsDone) {
  Scenario s(ValueRule());
  ChangeEvent bad = s.Happens("k=b@11");
  bad.cells[0].timestamp = -5;
  s.Tells({bad});
  ASSERT_EQ(s.world()->letters()->letters().size(), 1u) << "flushed, not only sent";
  EXPECT_EQ(s.world()->letters()->letters()[0].kind, "undecodable");
}

}  // namespace
}  // namespace fensi::testing
