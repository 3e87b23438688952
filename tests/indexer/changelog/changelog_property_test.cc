// The promise of a changelog, on random histories: as soon as everything is applied, the last envelope of each row is
// the row of the index. Between deaths, `before` is `after` of the envelope before.
#include <cstdio>

#include "tests/doubles/memory_changelog.h"
#include "tests/indexer/changelog/rebuilt.h"
#include "tests/indexer/support/player.h"
#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/zombie_store.h"

namespace fensi::testing {
namespace {

using consumer::MemoryChangelog;

constexpr char kOn[] = "    changelog: { format: debezium }\n";

std::string FaultOf(const World& world, const MemoryChangelog& log) {
  const std::vector<ReadMessage> read = ReadMessages(log.messages());
  if (const std::string form = FaultOfForm(read); !form.empty()) return form + "\n" + ShortText(log.messages());
  const std::string difference = DifferenceOf(world.Actual(), Rebuilt(read));
  return difference.empty() ? "" : difference + "\n" + ShortText(log.messages());
}

/// Each envelope continues where the row's envelope before ended.
std::string FaultOfChain(const MemoryChangelog& log) {
  std::map<std::string, nlohmann::json> last;
  for (const ReadMessage& message : ReadMessages(log.messages())) {
    if (message.tombstone) continue;
    nlohmann::json before = message.before;
    const auto known = last.find(message.row);
    const nlohmann::json after = known == last.end() ? nlohmann::json() : known->second;
    // A removal of a row that is not there has the row key alone.
    const bool nothing = before.is_object() && std::count(before.begin(), before.end(), nullptr) + 1 ==
                                                   static_cast<std::ptrdiff_t>(before.size());
    if (nothing) before = nullptr;
    if (before != after)
      return "a gap in front of " + message.operation + " " + message.row + ": " + ShortText(log.messages());
    last[message.row] = message.after;
  }
  return "";
}

class ChangelogProperty : public ::testing::TestWithParam<Rule> {
 protected:
  enum class Source { kNone, kRead };

  void Check(const Limits& limits, Source source) {
    World world(GetParam(), source == Source::kRead, kOn);
    size_t deaths = 0, messages = 0;
    Holds(GetParam().name, [&] {
      const History history = SomeHistory(limits);
      const int dies_at = limits.deaths ? SomeNumber(0, 8) : 0, dies_again = limits.deaths ? SomeNumber(0, 8) : 0;
      const bool after = SomeNumber(0, 2) == 1;
      MemoryChangelog log;
      log.death = [=](int number) {
        if (number != dies_at && number != dies_again) return MemoryChangelog::Death::kNone;
        return after ? MemoryChangelog::Death::kAfter : MemoryChangelog::Death::kBefore;
      };
      world.Reset();
      world.set_changelog(&log);
      Player player(&world, history);
      player.Play();
      deaths += player.deaths();
      messages += log.messages().size();
      std::string wrong = world.Difference();
      if (wrong.empty()) wrong = FaultOf(world, log);
      if (wrong.empty() && player.deaths() == 0) wrong = FaultOfChain(log);
      return wrong;
    });
    std::printf("%-10s %d histories, %zu messages, %zu deaths: the last envelopes are the index unless failed above\n",
                GetParam().name.c_str(), Histories(), messages, deaths);
  }
};

TEST_P(ChangelogProperty, EndsAsTheIndex) { Check({}, Source::kNone); }

TEST_P(ChangelogProperty, EndsAsTheIndexWithVersionDeletesFromKeptVersions) {
  Check({.version_deletes = true}, Source::kNone);
}

TEST_P(ChangelogProperty, EndsAsTheIndexOfRowsInDoubt) { Check({.version_deletes = true}, Source::kRead); }

TEST_P(ChangelogProperty, EndsAsTheIndexWithoutKindsOfDeletes) {
  Check({.version_deletes = true, .lose_kinds = true}, Source::kRead);
}

TEST_P(ChangelogProperty, HasNoGapWithoutDeaths) { Check({.version_deletes = true, .deaths = false}, Source::kRead); }

/// An owner falls asleep in a call to the store or to the changelog. Its successor works, and what the owner sent
/// arrives in between.
void PlayWithSleeper(World* world, const History& history, MemoryChangelog* log) {
  world->set_layout(LayoutOf(history));
  std::vector<ChangeEvent> stream;
  for (size_t i : StreamOrder(history)) stream.push_back(MakeEvent(history.events[i], i + 1, history.tick));
  for (size_t i = 0; i < history.events.size(); ++i) world->ApplyToSource(MakeEvent(history.events[i], i + 1));
  ZombieStore zombie(world->store());
  const size_t sleeps_at = static_cast<size_t>(SomeNumber(0, 4));
  const int call = SomeNumber(1, 5), late_per_call = SomeNumber(1, 3);
  const bool in_changelog = SomeNumber(0, 2) == 1;
  size_t committed = 0, position = 0;
  bool slept = false;
  auto owner = world->NewMaintainer(true, &zombie);
  for (size_t n = 0; committed < stream.size(); ++n) {
    const size_t size = std::min<size_t>(history.batch_sizes[n % history.batch_sizes.size()], stream.size() - position);
    const bool now = n == sleeps_at && !slept;
    if (now && in_changelog) log->KeepBackNext();
    if (now && !in_changelog) zombie.KeepBackOnly(call);
    const consumer::Batch told =
        world->MakeBatch(std::span(stream).subspan(position, size), static_cast<int64_t>(position));
    Status applied = owner->Apply(told);
    if (applied.ok()) applied = world->RereadSource(owner.get(), told);
    position += size;
    const bool woken = zombie.kept_back() && (!applied.ok() || n >= sleeps_at + 1);
    if (!slept && (woken || !applied.ok())) {
      slept = true;
      zombie.Release(late_per_call, SomeNumber(0, 9));
      const int early = SomeNumber(0, 3);
      if (early == 0) log->Release();  // before the successor begins
      owner = world->NewMaintainer(false, &zombie);
      if (early == 1) log->Release();  // before its first batch
      position = committed;
      continue;
    }
    Must(applied);
    // Of an owner that believes a late write to be done nothing is committed.
    if (!zombie.kept_back() || slept) committed = position;
  }
  zombie.Drain();
  log->Release();
}

TEST_P(ChangelogProperty, EndsAsTheIndexWhenAnOwnerFellAsleep) {
  for (const bool reads : {false, true}) {
    World world(GetParam(), reads, kOn);
    Holds(GetParam().name, [&] {
      const History history = SomeHistory({.version_deletes = true});
      MemoryChangelog log;
      world.Reset();
      world.set_changelog(&log);
      PlayWithSleeper(&world, history, &log);
      const std::string wrong = world.Difference();
      return wrong.empty() ? FaultOf(world, log) : wrong;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, ChangelogProperty, ::testing::ValuesIn(ChangelogRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
