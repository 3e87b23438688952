// A unique key that is handed from source row to source row is in the index as the source has it in the end, whoever
// tells what first, however often, and however far the source is ahead (M5, M8.4).
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/indexer/support/handovers.h"
#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/unique_rules.h"

namespace fensi::testing {
namespace {

struct Kind {
  Rule rule;
  HandoverLimits limits = {};
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.rule.name; }

std::vector<Kind> Kinds() {
  const std::vector<std::string> lists = {"a", "b", "a,b", "c", "b,c"};
  return {{UniqueKeyRule()},
          {UniqueColumnsRule("columns", "f:*"), {.columns = "kv", .events = 24}},
          {UniqueColumnsRule("pattern", "[f:k*, f:v*]"), {.columns = "kvx", .events = 24}},
          {UniqueListRule(), {.values = lists}},
          {UniquePeriodRule()},
          {UniqueRule(), {.columns = "kv", .disorder = false, .events = 24}},
          {SharedRule()}};
}

class Handed : public ::testing::TestWithParam<Kind> {
 protected:
  static std::string Differs(World* world, const char* when) {
    const std::string difference = world->Difference();
    return difference.empty() ? "" : when + difference;
  }

  /// The first difference: at the end, behind a compaction, a replay, and when life goes on.
  static std::string Played(World* world, const Handovers& handovers, const Dice& dice) {
    world->Reset();
    world->clock()->Set(kDayMillis / 2);
    HandoverPlayer player(world, handovers, dice(0, 3) == 0, dice);
    std::string wrong;
    const auto right = [&](const char* when) {
      wrong = Differs(world, when);
      return wrong.empty();
    };
    player.Play(handovers.events.size() * 2 / 3);
    if (right("at the end")) world->CompactIndex(true);
    if (wrong.empty() && right("after a major compaction")) player.Replay();
    if (wrong.empty() && right("after a replay")) player.Play(handovers.events.size());
    if (wrong.empty()) right("later");
    return wrong.empty() ? "" : wrong + handovers.Text() + player.told();
  }
};

TEST_P(Handed, FromRowToRowAKeyIsWhereTheSourceHasIt) {
  for (const bool with_source : {true, false}) {
    World world(GetParam().rule, with_source);
    Holds(GetParam().rule.name, [&] {
      const Dice dice = DiceOf(static_cast<uint64_t>(SomeNumber(0, 1 << 30)));
      return Played(&world, SomeHandovers(GetParam().rule, GetParam().limits, dice), dice);
    });
  }
}

TEST_P(Handed, InBatchesOfThousandsOfEvents) {
  HandoverLimits limits = GetParam().limits;
  limits.events = 600;
  limits.rows = 9;
  limits.tick = 100'000;
  World world(GetParam().rule, true);
  const int seeds = std::getenv("FENSI_LONG") == nullptr ? 12 : 200;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Dice dice = DiceOf(static_cast<uint64_t>(seed));
    ASSERT_EQ(Played(&world, SomeHandovers(GetParam().rule, limits, dice), dice), "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, Handed, ::testing::ValuesIn(Kinds()), [](const auto& kind) {
  std::string name = kind.param.rule.name;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace fensi::testing
