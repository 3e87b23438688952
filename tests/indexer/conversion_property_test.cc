// An index that is moved from states to a stateless index in the middle of its life is exact before, and ever after:
// random histories of all kinds, in which the owner before the move has ended, or died at any of its calls.
#include <algorithm>
#include <cstdio>

#include "indexer/conversion.h"
#include "tests/indexer/support/moved.h"
#include "tests/indexer/support/player.h"
#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"

namespace fensi::testing {
namespace {

/// No disorder with a source that is compacted: with states alone the promise knows an exception there.
const std::vector<Limits> kWeathers = {
    {.version_deletes = true},
    {.version_deletes = true, .disorder = false, .compact_source = true},
    {.version_deletes = true, .disorder = false, .compact_source = true, .max_events = 20, .timestamps = 4},
    {.disorder = false, .compact_source = true, .max_events = 20, .timestamps = 20, .deaths = false},
    {.disorder = false, .compact_source = true, .timestamps = 20},
};

/// The clock is behind all that was told: the floor is what stands in the tables.
void MoveNow(World* world) {
  constexpr int64_t kLongAgo = -1'000'000;
  const int64_t now = world->clock()->WallMillis();
  world->clock()->Set(kLongAgo);
  world->ShowSource();
  Must(Move(world));
  world->clock()->Set(now);
}

class Moves : public ::testing::TestWithParam<Rule> {};

TEST_P(Moves, LeaveTheIndexExactWhateverWasAndWillBeTold) {
  World world(GetParam(), true);
  size_t deaths = 0, in_the_middle = 0;
  Holds(GetParam().name, [&]() -> std::string {
    const History history =
        SomeHistory(kWeathers[static_cast<size_t>(SomeNumber(0, static_cast<int>(kWeathers.size())))]);
    world.Reset();
    Player player(&world, history);
    BeginWithStates(&world);
    player.ends_behind = static_cast<size_t>(SomeNumber(1, 5));
    size_t owners = 0;
    player.on_new_owner = [&] {
      if (owners++ != 1) return;
      MoveNow(&world);
      ++in_the_middle;
    };
    player.Play();
    deaths += player.deaths();
    if (owners == 1) MoveNow(&world);
    std::string difference = world.Difference();
    if (!difference.empty()) return "at the end" + difference;
    world.CompactIndex(true);
    world.ShowSource();
    difference = world.Difference();
    return difference.empty() ? ReplayOneByOne(&world, player.stream()) : "after a major compaction" + difference;
  });
  const indexer::Counters& did = *world.counters();
  std::printf("%-18s %d histories, %zu of them moved in the middle, %lld events, %lld reads, %zu deaths\n",
              GetParam().name.c_str(), Histories(), in_the_middle, static_cast<long long>(did.events),
              static_cast<long long>(did.source_reads), deaths);
}

INSTANTIATE_TEST_SUITE_P(Rules, Moves, ::testing::ValuesIn(MirrorRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
