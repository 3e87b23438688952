// The main promise beside requests: the stream begins late, scans tell what was before it, somebody damages the index
// and asks for rechecks, owners die and lose the partition in calls that arrive later. The index is exact in the end,
// and stays so through later changes of every row and their removal.
#include <cstdio>

#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/two_logs.h"

namespace fensi::testing {
namespace {

std::vector<LateCall> SomeLateCalls(int most) {
  std::vector<LateCall> calls;
  for (int i = SomeNumber(0, most + 1); i > 0; --i) calls.push_back({SomeNumber(1, 30), SomeNumber(1, 10)});
  return calls;
}

/// What scans and repairs ask for.
enum class Asked { kImages, kRechecks, kAll };

TwoLogsSpec SomeSpec(const Limits& limits, Asked asked, bool late_calls) {
  TwoLogsSpec spec{.history = SomeHistory(limits)};
  const int events = static_cast<int>(spec.history.events.size());
  spec.early = asked == Asked::kRechecks ? 0 : SomeNumber(0, events + 1);
  const int first = asked == Asked::kRechecks ? AskSpec::kRecheck : AskSpec::kImage;
  const int last = asked == Asked::kImages ? AskSpec::kParts : AskSpec::kMarked;
  for (int i = SomeNumber(0, 5); i > 0; --i) {
    spec.asks.push_back({SomeNumber(first, last + 1), SomeNumber(0, events + 1), SomeNumber(0, 2), SomeNumber(0, 6),
                         SomeNumber(1, 30)});
  }
  for (int i = 0; i < 6; ++i) spec.turns.push_back(SomeNumber(0, 12));
  if (late_calls) spec.held = SomeLateCalls(2), spec.repeated = SomeLateCalls(2);
  return spec;
}

class BesideRequests : public ::testing::TestWithParam<Rule> {
 protected:
  void Check(const std::vector<Limits>& weathers, Asked asked, bool late_calls) {
    World world(GetParam(), true);
    size_t deaths = 0, requests = 0;
    Holds(world.rule().name, [&] {
      const Limits limits = weathers[static_cast<size_t>(SomeNumber(0, static_cast<int>(weathers.size())))];
      const TwoLogsSpec spec = SomeSpec(limits, asked, late_calls);
      world.Reset();
      TwoLogs life(&world, spec);
      const std::string difference = life.Differs();
      deaths += life.deaths();
      requests += life.requests();
      return difference;
    });
    std::printf("%-10s %d histories, %zu requests, %zu deaths\n", GetParam().name.c_str(), Histories(), requests,
                deaths);
  }
};

const std::vector<Limits> kWeathers = {{},
                                       {.timestamps = 4},
                                       {.version_deletes = true},
                                       {.version_deletes = true, .disorder = false, .max_events = 16, .timestamps = 4}};

TEST_P(BesideRequests, OfImagesTheIndexIsExact) { Check(kWeathers, Asked::kImages, false); }

TEST_P(BesideRequests, OfImagesTheIndexIsExactThoughCallsComeLate) { Check(kWeathers, Asked::kImages, true); }

TEST_P(BesideRequests, OfRechecksTheIndexIsExactThoughItWasDamaged) { Check(kWeathers, Asked::kRechecks, true); }

TEST_P(BesideRequests, OfAllKindsTheIndexIsExact) { Check(kWeathers, Asked::kAll, true); }

INSTANTIATE_TEST_SUITE_P(Rules, BesideRequests, ::testing::ValuesIn(AllRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
