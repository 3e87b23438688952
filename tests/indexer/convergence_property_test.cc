// The main promise, on random histories: whatever the order, repetition, batch borders, deaths and compactions, the
// index is the exact inverse of the source in the end, before and after a last compaction, and a replay of the whole
// stream changes nothing.
#include "support/player.h"
#include "support/properties.h"

namespace fensi::testing {
namespace {

class Convergence : public ::testing::TestWithParam<int> {
 protected:
  Rule rule() const { return AllRules()[static_cast<size_t>(GetParam())]; }

  void Check(const Limits& limits, bool with_source) {
    World world(rule(), with_source);
    size_t deaths = 0, events = 0;
    Holds(rule().name, [&] {
      const History history = *AnyHistory(limits);
      world.Reset();
      Player player(&world, history);
      player.Play();
      Compare(&world, "at the end");
      world.CompactIndex(true);
      Compare(&world, "after a major compaction");
      if (!limits.compact_source) {
        player.Replay();
        Compare(&world, "after a replay");
      }
      deaths += player.deaths();
      events += player.stream().size();
    });
    std::printf("%-10s %d histories, %zu events, %zu deaths: 0 missing, 0 orphaned, 0 wrong unless failed above\n",
                rule().name.c_str(), Histories(), events, deaths);
  }

  static void Compare(World* world, const char* when) {
    const std::string difference = world->Difference();
    if (!difference.empty()) RC_FAIL(std::string(when) + difference);
  }
};

TEST_P(Convergence, OfAnyOrderAndRepetition) { Check({}, false); }

TEST_P(Convergence, OfVersionDeletesFromKeptVersions) { Check({.version_deletes = true}, false); }

TEST_P(Convergence, OfVersionDeletesByReadingTheSource) { Check({.version_deletes = true}, true); }

TEST_P(Convergence, OfLatePutsAfterTheSourceWasCompacted) {
  Check({.version_deletes = true, .disorder = false, .compact_source = true}, true);
}

TEST_P(Convergence, OfDeletesWhoseKindIsLostByReadingTheSource) {
  Check({.version_deletes = true, .disorder = false, .lose_kinds = true}, true);
}

INSTANTIATE_TEST_SUITE_P(Rules, Convergence, ::testing::Range(0, static_cast<int>(AllRules().size())),
                         [](const auto& rule) {
                           std::string name = AllRules()[static_cast<size_t>(rule.param)].name;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace fensi::testing
