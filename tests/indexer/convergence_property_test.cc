// The main promise, on random histories: whatever the order, repetition, batch borders, deaths and compactions, the
// index is the exact inverse of the source in the end, before and after a last compaction, and a replay of the whole
// stream changes nothing.
#include <cstdio>

#include "base/hbase_limits.h"
#include "tests/indexer/support/player.h"
#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"

namespace fensi::testing {
namespace {

class Convergence : public ::testing::TestWithParam<Rule> {
 protected:
  enum class Source { kNone, kRead, kReadWithPoints };

  void Check(const Limits& limits, Source source) {
    World world(GetParam(), source != Source::kNone);
    size_t deaths = 0, events = 0;
    Holds(GetParam().name, [&] {
      Player player(&world, SomeHistory(limits));
      world.Reset();
      if (source == Source::kReadWithPoints) world.TellReadPoints(/*catches_up=*/SomeNumber(0, 2) == 1);
      std::string wrong = PlayAndCompare(&world, &player, !limits.compact_source);
      deaths += player.deaths();
      events += player.stream().size();
      return wrong;
    });
    std::printf("%-10s %d histories, %zu events, %zu deaths: 0 missing, 0 orphaned, 0 wrong unless failed above\n",
                GetParam().name.c_str(), Histories(), events, deaths);
  }

  static std::string PlayAndCompare(World* world, Player* player, bool replay) {
    player->Play();
    std::string difference = world->Difference();
    if (!difference.empty()) return "at the end" + difference;
    world->CompactIndex(true);
    difference = world->Difference();
    if (!difference.empty()) return "after a major compaction" + difference;
    if (!replay) return "";
    player->Replay();
    difference = world->Difference();
    return difference.empty() ? "" : "after a replay" + difference;
  }
};

TEST_P(Convergence, OfAnyOrderAndRepetition) { Check({}, Source::kNone); }

TEST_P(Convergence, OfVersionDeletesFromKeptVersions) { Check({.version_deletes = true}, Source::kNone); }

TEST_P(Convergence, OfVersionDeletesByReadingTheSource) { Check({.version_deletes = true}, Source::kRead); }

/// A read that shows all that was received is not repeated.
TEST_P(Convergence, OfVersionDeletesByReadPoints) { Check({.version_deletes = true}, Source::kReadWithPoints); }

TEST_P(Convergence, OfLatePutsAfterTheSourceWasCompacted) {
  Check({.version_deletes = true, .disorder = false, .compact_source = true}, Source::kRead);
}

TEST_P(Convergence, OfDeletesWhoseKindIsLostByReadingTheSource) {
  Check({.version_deletes = true, .lose_kinds = true}, Source::kRead);
}

/// Half of the timestamps are above the newest that an index takes.
TEST_P(Convergence, OfTimestampsAroundTheNewestThatAnIndexTakes) { Check({.base = kMaxSourceTime - 5}, Source::kNone); }

TEST_P(Convergence, OfTimestampsAroundTheNewestThatAnIndexTakesByReadingTheSource) {
  Check({.version_deletes = true, .base = kMaxSourceTime - 5}, Source::kRead);
}

INSTANTIATE_TEST_SUITE_P(Rules, Convergence, ::testing::ValuesIn(AllRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
