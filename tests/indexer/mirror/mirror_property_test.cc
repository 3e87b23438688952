// The main promise of a stateless index, on random histories of all kinds: exact in the end, through compactions of
// both tables, late changes, and a replay during which nothing shows that the source does not.
#include <algorithm>
#include <cstdio>

#include "base/hbase_limits.h"
#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/stormy_life.h"

namespace fensi::testing {
namespace {

/// Of all kinds together, and of those that are mostly followed blindly, or mostly asked for.
const std::vector<Limits> kWeathers = {
    {.version_deletes = true},
    {.version_deletes = true, .compact_source = true},
    {.version_deletes = true, .compact_source = true, .max_events = 20, .timestamps = 4},
    {.disorder = false, .compact_source = true, .timestamps = 20},
    {.version_deletes = true, .compact_source = true, .lose_kinds = true},
    {.version_deletes = true, .compact_source = true, .tick = 2'000'000},  // far ahead of our clock
    {.version_deletes = true, .base = kMaxSourceTime - 5},                 // half of them above what is taken
};

History SomeWeather() {
  History history = SomeHistory(kWeathers[static_cast<size_t>(SomeNumber(0, static_cast<int>(kWeathers.size())))]);
  if (SomeNumber(0, 3) > 0) return history;
  // As region servers stamp it.
  for (size_t i = 0; i < history.events.size(); ++i) {
    for (CellSpec& cell : history.events[i].cells) cell.timestamp = static_cast<int>(i) + 1;
  }
  return history;
}

/// So much that all floors are remembered one by one, or but a few.
size_t SomeMemory() { return SomeNumber(0, 2) == 0 ? size_t{1} << 20 : static_cast<size_t>(SomeNumber(1, 5)) * 64; }

class Mirrors : public ::testing::TestWithParam<Rule> {
 protected:
  void Holding(const std::function<std::string(World*, const History&, size_t*)>& differs) {
    World world(GetParam(), true);
    size_t deaths = 0;
    Holds(GetParam().name, [&] {
      const History history = SomeWeather();
      world.set_cache_bytes(SomeMemory());
      world.Reset();
      if (const int points = SomeNumber(0, 4); points < 2) world.TellReadPoints(/*catches_up=*/points == 1);
      return differs(&world, history, &deaths);
    });
    const indexer::Counters& did = *world.counters();
    std::printf("%-14s %d histories, %lld events, %lld reads, %zu deaths\n", GetParam().name.c_str(), Histories(),
                static_cast<long long>(did.events), static_cast<long long>(did.source_reads), deaths);
  }
};

std::string PlayAndReplay(World* world, const History& history, size_t* deaths) {
  Player player(world, history);
  player.Play();
  *deaths += player.deaths();
  std::string difference = world->Difference();
  if (!difference.empty()) return "at the end" + difference;
  world->CompactIndex(true);
  world->ShowSource();
  difference = world->Difference();
  return difference.empty() ? ReplayOneByOne(world, player.stream()) : "after a major compaction" + difference;
}

TEST_P(Mirrors, AreExactWhateverIsTold) { Holding(PlayAndReplay); }

TEST_P(Mirrors, AreExactThoughCallsComeLateAndTwice) {
  Holding([](World* world, const History& history, size_t* deaths) {
    const auto held = SomeLateCalls(2), repeated = SomeLateCalls(3);
    StormyLife life(world, history, held, repeated);
    const std::string difference = life.Differs();
    *deaths += life.deaths();
    return difference;
  });
}

INSTANTIATE_TEST_SUITE_P(Rules, Mirrors, ::testing::ValuesIn(MirrorRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
