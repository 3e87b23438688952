// TTL: an entry goes with its source; with `expire: exact`, with the first of its cells.
#include <gtest/gtest.h>

#include "indexer/tables.h"
#include "support/scenario.h"

namespace fensi::testing {
namespace {

constexpr char kTenSeconds[] = "    create: { families: { f: { ttl: 10s } } }\n";
constexpr char kTenSecondsExact[] = "    create: { families: { f: { ttl: 10s } } }\n    expire: exact\n";

/// Is there an entry at `now` milliseconds?
bool ShownAt(Scenario* s, int64_t now) {
  s->world()->clock()->Set(now);
  return !s->Index().empty();
}

TEST(Expiry, AnEntryOutlivesItsFirstColumnByTheDifferenceOfTheirTimestamps) {
  Scenario s(CompositeRule(), Scenario::Source::kKept, kTenSeconds);
  s.Tells({s.Happens("k=a@1000 m=b@4000")});
  EXPECT_TRUE(ShownAt(&s, 13'000));
  EXPECT_FALSE(ShownAt(&s, 14'001));
}

TEST(Expiry, AnExactEntryGoesWithTheFirstOfItsColumns) {
  Scenario s(CompositeRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@1000 m=b@4000")});
  EXPECT_TRUE(ShownAt(&s, 10'500));
  EXPECT_FALSE(ShownAt(&s, 11'001));
}

TEST(Expiry, AnExactEntryLivesAsLongAsItsCellsOwnTtl) {
  Scenario s(ValueRule(), Scenario::Source::kKept, kTenSecondsExact);
  ChangeEvent event = s.Happens("k=a@1000");
  event.cells[0].tags.push_back(MakeTtlTag(2000));
  s.Tells({event});
  EXPECT_TRUE(ShownAt(&s, 2'500));
  EXPECT_FALSE(ShownAt(&s, 3'001));
}

TEST(Expiry, ARefreshedColumnGivesTheEntryNewLife) {
  Scenario s(CompositeRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@1000 m=b@4000")});
  s.Tells({s.Happens("k=a@6000")});
  EXPECT_TRUE(ShownAt(&s, 13'500));
  EXPECT_FALSE(ShownAt(&s, 14'001));
}

TEST(Expiry, StatesOutliveTheLastReplayAndThenGo) {
  Scenario s(ValueRule(), Scenario::Source::kKept, kTenSecondsExact);
  s.Tells({s.Happens("k=a@1000")});
  const auto states = [&](int64_t now) {
    s.world()->clock()->Set(now);
    return s.world()->store()->Scan("inverse_state", {})->size();
  };
  EXPECT_EQ(states(11'000 + indexer::kReplayWindowMillis - 1), 1u);
  EXPECT_EQ(states(11'000 + indexer::kReplayWindowMillis + 1), 0u);
}

}  // namespace
}  // namespace fensi::testing
