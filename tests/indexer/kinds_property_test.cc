// The main promise for the kinds of indexes that need something of their history: shared cells, keys that move between
// rows, cells that expire, tables per period; and batches of thousands of events.
#include <algorithm>
#include <set>

#include "tests/indexer/support/player.h"
#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/unique_rules.h"

namespace fensi::testing {
namespace {

constexpr char kExact[] = "    create: { families: { f: { ttl: 1s } } }\n    expire: exact\n";

/// Plays it, and answers the first difference: at the end, after a compaction, after a replay.
std::string Played(World* world, const History& history) {
  world->Reset();
  Player player(world, history);
  player.Play();
  std::string difference = world->Difference();
  if (!difference.empty()) return "at the end" + difference;
  world->CompactIndex(true);
  difference = world->Difference();
  if (!difference.empty()) return "after a major compaction" + difference;
  player.Replay();
  difference = world->Difference();
  return difference.empty() ? "" : "after a replay" + difference;
}

TEST(Kinds, ASharedCellIsThereAsLongAsARowGivesItAndNoTwoMeetInOneMillisecond) {
  for (const bool with_source : {false, true}) {
    World world(SharedRule(), with_source);
    Holds("shared", [&] { return Played(&world, SomeHistory({.version_deletes = true, .rows = 3, .tick = 300})); });
  }
}

/// Every change is stamped with its own time, and a cell belongs to one row at any time.
History Lawful(History history, const Rule& rule) {
  SourceModel model;
  std::vector<EventSpec> lawful;
  for (EventSpec& event : history.events) {
    for (CellSpec& cell : event.cells) cell.timestamp = static_cast<int>(lawful.size()) + 1;
    SourceModel next = model;
    next.Apply(MakeEvent(event, 1).row, MakeEvent(event, 1, history.tick).cells);
    size_t entries = 0;
    for (const std::string& row : next.Rows()) {
      Entries own;
      rule.expect(row, next.Visible(row), &own);
      entries += own.size();
    }
    if (entries != Expected(rule, next).size()) continue;
    model = next;
    lawful.push_back(event);
  }
  history.events = lawful;
  return history;
}

TEST(Kinds, AUniqueKeyThatMovesBetweenRowsIsThere) {
  World world(UniqueRule(), false);
  Holds("unique",
        [&] { return Played(&world, Lawful(SomeHistory({.disorder = false, .rows = 3, .tick = 100}), world.rule())); });
}

TEST(Kinds, AUniqueKeyOfOneCellIsThereThoughEventsOfARowAreToldOutOfOrder) {
  World world(UniqueKeyRule(), false);
  Holds("unique", [&] { return Played(&world, Lawful(SomeHistory({.rows = 3, .tick = 200}), world.rule())); });
}

/// What differs when the clock goes on from the end of the history.
std::string DifferenceLater(World* world) {
  const int64_t now = world->clock()->WallMillis();
  for (const int64_t later :
       {0, 1, 3, 5, 7, 9, 12, 40, 150, 300, 420, 640, 890, 903, 906, 909, 1000, 1300, 1600, 2000}) {
    world->clock()->Set(now + later);
    const std::string difference = world->Difference();
    if (!difference.empty()) return "at " + std::to_string(now + later) + " ms" + difference;
  }
  return "";
}

class Expiring : public ::testing::TestWithParam<Rule> {
 protected:
  void Check(const Limits& limits, bool with_source) {
    World world(GetParam(), with_source, kExact);
    Holds(GetParam().name, [&] {
      world.Reset();
      Player player(&world, SomeHistory(limits));
      player.purge_markers = false;  // its clock would go on by days
      player.on_batch = [&](size_t) { world.clock()->Sleep(std::chrono::milliseconds(1)); };
      player.Play();
      return DifferenceLater(&world);
    });
  }
};

TEST_P(Expiring, CellsTakeTheirEntriesAlong) {
  Check({.version_deletes = true, .ttls = {0, 0, 95, 97, 100, 105, 2000}}, false);
}

TEST_P(Expiring, CellsTakeTheirEntriesAlongInRowsInDoubt) {
  Check({.version_deletes = true, .ttls = {100, 0, 97}, .ttl_of_column = true}, true);
}

TEST(Kinds, ExpiringCellsTakeTheirShareOfASharedCellAlong) {
  World world(SharedRule(), false, kExact);
  Holds("shared", [&] {
    world.Reset();
    Player player(&world, SomeHistory({.version_deletes = true, .ttls = {0, 200, 500}, .rows = 3, .tick = 240}));
    player.purge_markers = false;
    player.Play();
    return DifferenceLater(&world);
  });
}

INSTANTIATE_TEST_SUITE_P(Rules, Expiring,
                         ::testing::Values(CompositeRule(), QualifierRule(), FanOutRule(), EachConditionRule(),
                                           RowRule()),
                         RuleName);

class Periods {
 public:
  explicit Periods(World* world) : world_(world) {}

  /// Days go by between batches. What may be put is there, what is there may be, and what was there stays.
  std::string Played(const History& history, bool exactly) {
    world_->Reset();
    world_->clock()->Set(9 * kDayMillis);
    Player player(world_, history);
    Entries stays;
    size_t known = 0;
    player.on_batch = [&](size_t told) {
      while (known < told) stays = Staying(player.stream(), ++known, stays);
      world_->clock()->Set(world_->clock()->WallMillis() + kDayMillis / 2);
    };
    player.Play();
    return Wrong(exactly ? stays : Entries());
  }

 private:
  /// Surely: a day counts from its begin.
  bool Inside(const Entries::value_type& entry) const {
    const int64_t day = entry.first.first[8] - '1';
    return day * kDayMillis >= world_->clock()->WallMillis() - 5 * kDayMillis;
  }

  Entries Staying(const std::vector<ChangeEvent>& stream, size_t told, const Entries& before) const {
    SourceModel model;
    for (size_t i = 0; i < told; ++i) model.Apply(stream[i].row, stream[i].cells);
    Entries stays;
    for (const auto& entry : Expected(world_->rule(), model)) {
      const auto there = before.find(entry.first);
      if (Inside(entry) || (there != before.end() && there->second == entry.second)) stays.insert(entry);
    }
    return stays;
  }

  std::string Wrong(const Entries& stays) const {
    const Entries wanted = world_->Wanted(), actual = world_->Actual();
    for (const auto& entry : actual) {
      const auto found = wanted.find(entry.first);
      if (found == wanted.end() || found->second != entry.second)
        return "orphaned or wrong" + DifferenceOf(wanted, actual);
    }
    for (const auto& entry : wanted) {
      if ((Inside(entry) || stays.count(entry.first) > 0) && actual.count(entry.first) == 0) {
        return "missing" + DifferenceOf(wanted, actual);
      }
    }
    return "";
  }

  World* const world_;
};

TEST(Kinds, TablesPerPeriodHoldWhatKeepAllowsAndNothingElse) {
  for (const bool with_source : {false, true}) {
    World world(PeriodRule(), with_source);
    Holds("period", [&] {
      return Periods(&world).Played(SomeHistory({.version_deletes = true, .timestamps = 8, .tick = kDayMillis}), false);
    });
  }
}

TEST(Kinds, TablesPerPeriodKeepWhatIsThere) {
  World world(PeriodRule(), false);
  Holds("period", [&] {
    History history =
        SomeHistory({.version_deletes = true, .disorder = false, .timestamps = 8, .tick = kDayMillis, .deaths = false});
    history.repeats.clear();
    return Periods(&world).Played(history, true);
  });
}

TEST(Kinds, BatchesOfThousandsOfEventsAreTheSameAsSmallOnes) {
  for (const Rule& rule : {ValueRule(), FanOutRule(), ListRule()}) {
    World world(rule, true);
    int tried = 0;
    Holds(rule.name, [&]() -> std::string {
      if (tried++ % 400 != 0) return "";
      History history = SomeHistory({.version_deletes = true, .rows = 150, .batch = 600});
      for (int doubled = 0; doubled < 8; ++doubled) {
        const std::vector<EventSpec> once = history.events;
        for (EventSpec event : once) {
          event.row = (event.row + 37 * (doubled + 1)) % 150;
          history.events.push_back(std::move(event));
        }
      }
      return Played(&world, history);
    });
  }
}

}  // namespace
}  // namespace fensi::testing
