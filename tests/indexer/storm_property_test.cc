// Everything at once: owners that lose the partition in the middle of a call that arrives much later, calls that arrive
// twice, deaths, batches in pieces, a source that shows late and is ahead of the stream. The index is exact in the end,
// and stays so through a replay, later changes of every row and their removal.
#include <cstdio>

#include "tests/indexer/support/properties.h"
#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/stormy_life.h"

namespace fensi::testing {
namespace {

class Storm : public ::testing::TestWithParam<Rule> {
 protected:
  /// Each history is drawn from one of these.
  void Check(const std::vector<Limits>& weathers, bool with_source) {
    World world(GetParam(), with_source);
    size_t deaths = 0;
    Holds(world.rule().name, [&] {
      const History history =
          SomeHistory(weathers[static_cast<size_t>(SomeNumber(0, static_cast<int>(weathers.size())))]);
      const auto held = SomeLateCalls(2), repeated = SomeLateCalls(3);
      world.Reset();
      StormyLife life(&world, history, held, repeated);
      const std::string difference = life.Differs();
      deaths += life.deaths();
      return difference;
    });
    std::printf("%-10s %d histories, %zu deaths\n", GetParam().name.c_str(), Histories(), deaths);
  }
};

TEST_P(Storm, LeavesTheIndexExactWithKeptVersions) {
  Check({{}, {.version_deletes = true}, {.version_deletes = true, .max_events = 20, .timestamps = 4}}, false);
}

TEST_P(Storm, LeavesTheIndexExactInRowsInDoubt) {
  Check({{.version_deletes = true},
         {.version_deletes = true, .max_events = 20, .timestamps = 4},
         {.version_deletes = true, .disorder = false, .compact_source = true},
         {.version_deletes = true, .lose_kinds = true}},
        true);
}

/// An owner's last state comes late over the state of the redo. Both must be of one history: had the repeated first
/// event raised the version, the redo would have put at a version that the late state takes for done.
TEST(StormHistories, ALateStateMeetsTheVersionsOfTheRedo) {
  const auto put = [](int column, int timestamp) {
    return CellSpec{.kind = 9, .column = column, .timestamp = timestamp};
  };
  const auto gone = [](int kind, int timestamp) { return CellSpec{.kind = kind, .timestamp = timestamp}; };
  constexpr int kColumn = 0, kFamily = 1, kFamilyVersion = 3;
  const History history{.events = {{0, {put(0, 4), put(2, 1)}},
                                   {0, {gone(kFamily, 1)}},
                                   {0, {gone(kColumn, 1)}},
                                   {0, {gone(kFamily, 1), gone(kColumn, 1), put(2, 2)}},
                                   {0, {gone(kColumn, 1), put(0, 1)}},
                                   {0, {gone(kFamilyVersion, 2)}},
                                   {0, {gone(kFamilyVersion, 4)}},
                                   {1, {put(0, 1)}}},
                        .deaths = {{.batch = 5, .call = 1}},
                        .batch_sizes = {4, 4, 1, 1},
                        .commit_every = {2, 1, 1}};
  World world(TwoColumnsRule(), false);
  StormyLife life(&world, history, {{.write = 5, .delay = 5}}, {});
  EXPECT_EQ(life.Differs(), "");
}

/// Two puts of one time in a stream without sequence ids: each redo counts both once more, so that a late state may
/// stand above what the redo has put.
TEST(StormHistories, ALateStateMeetsTheVersionsOfTiesToldAgain) {
  const auto put = [](int timestamp, int value) { return CellSpec{.kind = 9, .timestamp = timestamp, .value = value}; };
  const auto gone = [](int kind, int column) { return CellSpec{.kind = kind, .column = column}; };
  const History history{.events = {{1, {put(4, 0)}},
                                   {0, {gone(2, 0)}},
                                   {0, {gone(3, 0)}},
                                   {1, {put(4, 1)}},
                                   {0, {gone(0, 1)}},
                                   {1, {put(1, 0), put(8, 0)}}},
                        .batch_sizes = {3, 1, 2, 4},
                        .commit_every = {3, 1, 1},
                        .lose_kinds = true};
  World world(ConditionRule(), true);
  for (int write = 1; write <= 20; ++write) {
    for (int delay = 1; delay <= 25; ++delay) {
      world.Reset();
      StormyLife life(&world, history, {{write, delay}}, {});
      ASSERT_EQ(life.Differs(), "") << "write " << write << ", " << delay << " calls late";
    }
  }
}

/// Two puts of one time in one event, without a source to ask: told again they end as they began, which is no change.
TEST(StormHistories, TwoLateStatesMeetTheVersionsOfTiesWithinAnEvent) {
  const auto put = [](int column, int timestamp, int value) {
    return CellSpec{.kind = 9, .column = column, .timestamp = timestamp, .value = value};
  };
  const History history{.events = {{0, {put(1, 1, 0)}},
                                   {0, {put(1, 4, 1), put(1, 4, 0)}},
                                   {0, {{.kind = 1}}},
                                   {0, {put(0, 1, 0), put(0, 2, 0)}},
                                   {0, {{.kind = 0, .timestamp = 2}}},
                                   {0, {put(0, 1, 0)}}},
                        .batch_sizes = {2, 3, 1, 3},
                        .commit_every = {2, 1, 1}};
  World world(ValueRule(), false);
  for (int first = 1; first <= 8; ++first) {
    for (int second = 1; second <= 8; ++second) {
      for (int delay = 1; delay <= 6; ++delay) {
        world.Reset();
        StormyLife life(&world, history, {{first, 2}, {second, delay}}, {});
        ASSERT_EQ(life.Differs(), "") << "writes " << first << ", 2 calls late, and " << second << ", " << delay;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, Storm, ::testing::ValuesIn(AllRules()), RuleName);

}  // namespace
}  // namespace fensi::testing
