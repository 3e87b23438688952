#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "indexer/state/state_table.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::StateLayout;
using indexer::StateScan;
using indexer::StoredState;

/// "ROW/UNIT", and " open" where it is.
std::multiset<std::string> Found(World* world, const StateLayout& layout) {
  std::multiset<std::string> found;
  StateScan scan(&world->index(), world->store(), layout);
  std::vector<StoredState> page;
  for (;;) {
    const Result<bool> more = scan.Next(&page);
    Must(more.status());
    if (!*more) return found;
    for (const StoredState& state : page) {
      if (state.kind == StoredState::Kind::kMarkers) continue;
      found.insert(state.row + "/" + state.unit + (state.open ? " open" : ""));
    }
  }
}

TEST(StateScan, ShowsUnitsThatAreRowsWhicheverWayTheyLie) {
  for (const StateLayout& layout : {StateLayout{}, StateLayout{.bucket_bits = 1}}) {
    Scenario s(MirrorValueRule(), Scenario::Source::kRead);
    s.world()->set_layout(layout);
    s.world()->set_states(true);
    s.Restarts();
    s.Tells({s.Happens("k=a@11", "p"), s.Happens("k=b@11", "q")});
    EXPECT_THAT(Found(s.world(), layout), ElementsAre("p/", "q/"));
    s.DiesBeforeStates({s.Happens("D:k@11", "q")});
    const auto found = Found(s.world(), layout);
    EXPECT_GT(found.count("q/ open"), 0u);
    EXPECT_EQ(found.count("p/ open"), 0u);
    Must(indexer::RemoveStates(s.world()->index(), s.world()->store()));
    EXPECT_THAT(Found(s.world(), layout), IsEmpty());
  }
}

TEST(StateScan, ShowsUnitsThatAreColumns) {
  Scenario s(MirrorEachValueRule(), Scenario::Source::kRead);
  s.world()->set_states(true);
  s.Restarts();
  s.Tells({s.Happens("k=a@11 v=b@11"), s.Happens("DF@5")});
  EXPECT_THAT(Found(s.world(), {}), ElementsAre("r/f:k", "r/f:v"));
  s.DiesBeforeStates({s.Happens("D:k@11")});
  EXPECT_GT(Found(s.world(), {}).count("r/f:k open"), 0u);
}

/// They may be many, and the row of the index itself is not of them.
TEST(StateScan, RemovesAllOfThemAndNothingElse) {
  World world(MirrorEachValueRule(), true);
  std::vector<store::RowMutation> rows = {{"fensi", {{.family = "i", .qualifier = "definition", .timestamp = 1}}}};
  for (int i = 0; i < 5'000; ++i) {
    rows.push_back(
        {"r" + std::to_string(i % 7), {{.family = "s", .qualifier = "f:" + std::to_string(i), .timestamp = i + 1}}});
  }
  Must(world.store()->Put(world.index().state_table(), rows).status());
  Must(indexer::RemoveStates(world.index(), world.store()));
  const auto left = world.store()->Scan(world.index().state_table(), {});
  Must(left.status());
  ASSERT_EQ(left->size(), 1u);
  EXPECT_EQ(left->front().row, "fensi");
  const Result<bool> any = indexer::HasStates(world.index(), world.store());
  Must(any.status());
  EXPECT_FALSE(*any);
}

}  // namespace
}  // namespace fensi::testing
