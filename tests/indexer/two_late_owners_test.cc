// Two owners in a row lose the partition in the middle of a call that arrives later: the state of the first one comes
// when the second one has read an older state, what the second one did comes when the third one has read that state.
// Tried with every call of both, for rows that were in doubt once: their versions count what each owner was told.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include "tests/indexer/support/storm_store.h"
#include "tests/indexer/support/told_log.h"

namespace fensi::testing {
namespace {

/// What the first owner was told and stored without a commit, and what it was told when it lost the partition.
struct TwoLateStory {
  std::string name;
  Rule rule;
  std::vector<std::string> stored, told;
};

class TwoLateOwners : public ::testing::TestWithParam<TwoLateStory> {
 protected:
  static constexpr int kMostWrites = 14, kNever = 99, kUntilDrained = 10'000;

  Status Tell(World* world, store::Store* through, size_t from, size_t count) {
    const auto owner = world->NewMaintainer(false, through);
    return TellTo(world, owner.get(), from, count);
  }
  Status TellTo(World* world, indexer::IndexMaintainer* owner, size_t from, size_t count) {
    const consumer::Batch batch = log_->Part(from, count);
    const Status applied = owner->Apply(batch);
    return applied.ok() ? world->RereadSource(owner, batch) : applied;
  }

  /// The last event in a batch of its own: what the second owner is told first it must look at the source for.
  void TellApart(World* world, store::Store* through, size_t from, size_t count) {
    const auto owner = world->NewMaintainer(false, through);
    if (count > 1 && !TellTo(world, owner.get(), from, count - 1).ok()) return;
    (void)TellTo(world, owner.get(), from + count - 1, 1);
  }

  /// What is committed: the row was in doubt, and is not any more.
  void Begin(World* world) {
    world->Reset();
    log_.emplace(world);
    for (const char* cell : {"k=a@10", "k=c@11", "D:k@11", "k=c@12"}) log_->Happens(cell);
    const auto owner = world->NewMaintainer(true);
    for (size_t i = 0; i < log_->size(); ++i) Must(TellTo(world, owner.get(), i, 1));
  }

  /// What is wrong in the end, or nothing; no value: the first owner comes to its end before that write.
  std::optional<std::string> Play(World* world, int first_write, int second_write, size_t second_told) {
    Begin(world);
    const size_t committed = log_->size();
    for (const std::string& cell : GetParam().stored) log_->Happens(cell);
    const size_t stored = log_->size();
    for (const std::string& cell : GetParam().told) log_->Happens(cell);
    StormStore first(world->store(), world->store(), {{first_write, kUntilDrained}}, {});
    const auto owner = world->NewMaintainer(false, &first);
    Status lost = TellTo(world, owner.get(), committed, stored - committed);
    if (lost.ok()) lost = TellTo(world, owner.get(), stored, log_->size() - stored);
    if (lost.ok()) return std::nullopt;
    StormStore second(world->store(), world->store(), {{second_write, kUntilDrained}}, {});
    TellApart(world, &second, committed, second_told);
    first.Drain();
    Must(Tell(world, world->store(), committed, log_->size() - committed));
    second.Drain();
    return Ends(world);
  }

  std::string Ends(World* world) {
    std::string wrong = world->Difference();
    for (const char* cell : {"k=d@30", "DF@40"}) {
      log_->Happens(cell);
      Must(Tell(world, world->store(), log_->size() - 1, 1));
      if (wrong.empty()) wrong = world->Difference();
    }
    return wrong;
  }

  std::optional<ToldLog> log_;
};

TEST_P(TwoLateOwners, LeaveTheIndexExact) {
  World world(GetParam().rule, true);
  const size_t events = GetParam().stored.size() + GetParam().told.size();
  int played = 0;
  for (int first = 1; first <= kMostWrites; ++first) {
    for (const int second : {1, 2, 3, 4, 5, 6, 7, 8, 9, kNever}) {
      for (size_t told = 1; told <= events; ++told) {
        const std::optional<std::string> wrong = Play(&world, first, second, told);
        if (!wrong) continue;
        ++played;
        ASSERT_EQ(*wrong, "") << "write " << first << ", then write " << second << " of " << told << " events";
      }
    }
  }
  std::printf("%d lives\n", played);
  EXPECT_GE(played, 100);
}

std::vector<TwoLateStory> TwoLateStories() {
  const std::vector<std::string> keys = {"k=x@13", "k=y@14", "k=z@15"}, values = {"v=x@13", "v=y@14", "v=z@15"};
  return {{"FamilyDelete", ValueRule(), values, {"k=b@16", "DF@17"}},
          {"ColumnDelete", ValueRule(), values, {"k=b@16", "DC:k@17"}},
          {"Move", ValueRule(), values, {"k=b@16", "k=q@17"}},
          {"FamilyDeleteOfAColumn", FanOutRule(), keys, {"k=b@16", "DF@17"}},
          {"ColumnDeleteOfAColumn", FanOutRule(), keys, {"k=b@16", "DC:k@17"}},
          // In the end the source shows what the registers did before: the second owner's doubt is settled at once.
          {"FamilyDeleteOfARowThatWasEmpty", ValueRule(), {"DC:k@13", "DC:k@14"}, {"k=b@16", "DF@17"}},
          {"FamilyDeleteOfAColumnThatWasEmpty", FanOutRule(), {"DC:k@13", "DC:k@14"}, {"k=b@16", "DF@17"}},
          {"MoveOfAColumn", FanOutRule(), keys, {"k=b@16", "DF@16", "k=q@17"}}};
}

INSTANTIATE_TEST_SUITE_P(Stories, TwoLateOwners, ::testing::ValuesIn(TwoLateStories()),
                         [](const auto& story) { return story.param.name; });

}  // namespace
}  // namespace fensi::testing
