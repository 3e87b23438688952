// Late calls of a dead owner change nothing in the end, as long as the index keeps its delete markers (M3 to M6, M10).
#include <climits>

#include "support/properties.h"
#include "support/random_history.h"
#include "support/rules.h"
#include "support/world.h"
#include "support/zombie_store.h"

namespace fensi::testing {
namespace {

/// One owner works until its writes come late; the next begins at the last commit and the late ones fall in between.
std::string PlayWithZombie(World* world, const History& history, int64_t batch, int call, int late_per_call) {
  const std::vector<size_t> order = StreamOrder(history);
  std::vector<ChangeEvent> stream;
  for (size_t i : order) stream.push_back(MakeEvent(history.events[i], i + 1));
  for (size_t i = 0; i < history.events.size(); ++i) world->ApplyToSource(MakeEvent(history.events[i], i + 1));
  ZombieStore zombie(world->store());
  size_t committed = 0, position = 0;
  auto owner = world->NewMaintainer(true, &zombie);
  for (size_t n = 0; committed < stream.size(); ++n) {
    const size_t size = std::min<size_t>(history.batch_sizes[n % history.batch_sizes.size()], stream.size() - position);
    if (static_cast<int64_t>(n) == batch) zombie.KeepBackFrom(call);
    const consumer::Batch told =
        world->MakeBatch(std::span(stream).subspan(position, size), static_cast<int64_t>(position));
    Must(owner->Apply(told));
    Must(world->LookAgain(owner.get(), told));
    position += size;
    if (zombie.kept_back() && static_cast<int64_t>(n) >= batch + history.source_ahead % 2) {
      zombie.Release(late_per_call);
      owner = world->NewMaintainer(false, &zombie);
      position = committed;
      batch = INT_MAX;
    } else if (!zombie.kept_back() || batch == INT_MAX) {
      committed = position;
    }
  }
  zombie.Drain();
  return world->Difference();
}

class Zombie : public ::testing::TestWithParam<Rule> {
 protected:
  void Check(const Limits& limits, bool with_source) {
    World world(GetParam(), with_source);
    Holds(world.rule().name, [&] {
      const History history = SomeHistory(limits);
      const int batch = SomeNumber(0, 4), call = SomeNumber(1, 4), late = SomeNumber(1, 3);
      world.Reset();
      return PlayWithZombie(&world, history, batch, call, late);
    });
  }
};

TEST_P(Zombie, ChangesNothing) { Check({}, false); }

TEST_P(Zombie, ChangesNothingWithVersionDeletesFromKeptVersions) { Check({.version_deletes = true}, false); }

TEST_P(Zombie, ChangesNothingInRowsInDoubt) { Check({.version_deletes = true}, true); }

INSTANTIATE_TEST_SUITE_P(Rules, Zombie, ::testing::ValuesIn(AllRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
