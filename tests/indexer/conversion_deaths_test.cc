// A move from states to a stateless index that dies at every call (docs/decisions/0019-mirror.md).
#include <gtest/gtest.h>

#include "indexer/conversion.h"
#include "tests/indexer/support/moved.h"
#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

/// A death at every call, before and after it took effect: whoever starts in between is refused or right, the same
/// command ends it, and the index is right ever after.
class EveryDeath : public ::testing::TestWithParam<Rule> {
 protected:
  /// False: it did not come to that call.
  bool DiesAt(int call, store::FaultyStore::When when) {
    Scenario s(GetParam(), Scenario::Source::kRead);
    BeginWithStates(s.world());
    s.Restarts();
    s.Tells({s.Happens("k=b@11 v=c@12"), s.Happens("k=d@13", "q"), s.Happens("DC:v@14")});
    const ChangeEvent open = s.Happens("k=c@12 D:k@12"), late = s.Happens("k=x@9", "q");
    s.DiesBeforeStates({open});
    s.world()->clock()->Set(30 - indexer::Conversion::kAheadMillis);
    const Status dead(StatusCode::kInternal, "the process is dead");
    s.world()->faulty()->FailCall(call, when, dead);
    const Status first = Move(s.world(), s.world()->faulty());
    s.world()->faulty()->Heal();
    if (!first.ok()) Must(Move(s.world(), s.world()->faulty()));
    s.world()->clock()->Set(100);
    s.Restarts();
    EXPECT_EQ(s.Difference(), "") << "died at call " << call;
    s.world()->CompactSource();
    s.Tells({open, late});
    s.Tells({s.Happens("k=y@13", "q"), s.Happens("DFV@11"), s.Happens("v=z@14")});
    EXPECT_EQ(s.Difference(), "") << "died at call " << call;
    s.world()->CompactIndex(true);
    s.Tells({s.Happens("DF@500"), s.Happens("k=y@700", "q")});
    EXPECT_EQ(s.Difference(), "") << "died at call " << call;
    return !first.ok();
  }
};

TEST_P(EveryDeath, LeavesWhatTheSameCommandEnds) {
  int calls = 1;
  for (bool died = true; died; ++calls) {
    died = DiesAt(calls, store::FaultyStore::When::kBefore);
    DiesAt(calls, store::FaultyStore::When::kAfter);
  }
  EXPECT_GT(calls, 25);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryDeath, ::testing::ValuesIn(MirrorRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
