// Late calls of a dead owner change nothing in the end, as long as the index keeps its delete markers (M3 to M6, M10).
#include <climits>

#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/world.h"
#include "tests/indexer/support/zombie_store.h"

namespace fensi::testing {
namespace {

/// When an owner falls asleep, and when its writes arrive.
struct Pause {
  int64_t batch = 0;
  int call = 1;
  bool only_one = false;  // it learns that it lost the partition; else it goes on for a while
  int late_per_call = 1;
  int untouched_calls = 0;  // of the next owner
};

Pause SomePause(bool only_one) {
  return {SomeNumber(0, 4), SomeNumber(1, 5), only_one, SomeNumber(1, 3), only_one ? SomeNumber(0, 9) : 0};
}

/// One owner works until its writes come late; the next begins at the last commit and the late ones fall in between.
std::string PlayWithZombie(World* world, const History& history, Pause pause) {
  world->set_layout(LayoutOf(history));
  const std::vector<size_t> order = StreamOrder(history);
  std::vector<ChangeEvent> stream;
  for (size_t i : order) stream.push_back(MakeEvent(history.events[i], i + 1, history.tick));
  for (size_t i = 0; i < history.events.size(); ++i) world->ApplyToSource(MakeEvent(history.events[i], i + 1));
  ZombieStore zombie(world->store());
  size_t committed = 0, position = 0;
  auto owner = world->NewMaintainer(true, &zombie);
  for (size_t n = 0; committed < stream.size(); ++n) {
    const size_t size = std::min<size_t>(history.batch_sizes[n % history.batch_sizes.size()], stream.size() - position);
    if (static_cast<int64_t>(n) == pause.batch) {
      pause.only_one ? zombie.KeepBackOnly(pause.call) : zombie.KeepBackFrom(pause.call);
    }
    const consumer::Batch told =
        world->MakeBatch(std::span(stream).subspan(position, size), static_cast<int64_t>(position));
    Status applied = owner->Apply(told);
    if (applied.ok()) applied = world->RereadSource(owner.get(), told);
    if (!pause.only_one || !zombie.kept_back()) Must(applied);
    position += size;
    const bool over = !applied.ok() || static_cast<int64_t>(n) >= pause.batch + history.source_ahead % 2;
    if (zombie.kept_back() && over && pause.batch != INT_MAX) {
      zombie.Release(pause.late_per_call, pause.untouched_calls);
      owner = world->NewMaintainer(false, &zombie);
      position = committed;
      pause.batch = INT_MAX;
    } else if (!zombie.kept_back() || pause.batch == INT_MAX) {
      committed = position;
    }
  }
  zombie.Drain();
  return world->Difference();
}

class Zombie : public ::testing::TestWithParam<Rule> {
 protected:
  void Check(const Limits& limits, bool with_source, bool only_one = false) {
    World world(GetParam(), with_source);
    Holds(world.rule().name, [&] {
      const History history = SomeHistory(limits);
      const Pause pause = SomePause(only_one);
      world.Reset();
      return PlayWithZombie(&world, history, pause);
    });
  }
};

TEST_P(Zombie, ChangesNothing) { Check({}, false); }

TEST_P(Zombie, ChangesNothingWithVersionDeletesFromKeptVersions) { Check({.version_deletes = true}, false); }

TEST_P(Zombie, ChangesNothingInRowsInDoubt) { Check({.version_deletes = true}, true); }

TEST_P(Zombie, ThatWritesOneCallMuchLaterChangesNothing) { Check({.version_deletes = true}, false, true); }

TEST_P(Zombie, ThatWritesOneCallMuchLaterChangesNothingInRowsInDoubt) { Check({.version_deletes = true}, true, true); }

INSTANTIATE_TEST_SUITE_P(Rules, Zombie, ::testing::ValuesIn(AllRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
