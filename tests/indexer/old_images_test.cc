// Images of one millisecond that come late: an older image brings nothing back, after which call of the next owner its
// writes ever arrive.
#include <gtest/gtest.h>

#include <optional>

#include "tests/indexer/support/storm_store.h"
#include "tests/indexer/support/told_log.h"
#include "tests/indexer/support/two_logs.h"

namespace fensi::testing {
namespace {

using consumer::Request;

/// What was there before the stream, a change of the same millisecond, and an image of each; rows of one story.
struct SameMillisecond {
  explicit SameMillisecond(const Rule& rule) : world(rule, true), log(&world) {
    for (const char* cell : {"k=b@11", "k=b@12", "k=c@13"}) {
      world.ApplyToSource({.table = "source", .row = "r", .cells = {ParseCell(cell)}});
    }
    first = ImageOf(&world, "r");
    log.Happens("k=b@13");
    second = ImageOf(&world, "r");
  }
  void TellTheChange(indexer::IndexMaintainer* owner) {
    Must(owner->Apply(log.From(0)));
    Must(world.RereadSource(owner, log.From(0)));
  }
  /// Now, and when a later change and a delete were told.
  std::string EndsWrong() {
    std::string wrong = world.Difference();
    for (const char* cell : {"k=d@30", "DF@40"}) {
      log.Happens(cell);
      const auto owner = world.NewMaintainer(false);
      Must(owner->Apply(log.Part(log.size() - 1, 1)));
      Must(world.RereadSource(owner.get(), log.Part(log.size() - 1, 1)));
      if (wrong.empty()) wrong = world.Difference();
    }
    return wrong;
  }

  World world;
  ToldLog log;
  Request first, second;
};

/// Of two puts of one millisecond nobody knows which is newer: an image is no authority, whenever it comes.
TEST(OldImages, F39OneThatComesAgainBehindANewerOneBringsNothingBack) {
  for (const Rule& rule : {ValueRule(), FanOutRule()}) {
    for (const bool change_first : {false, true}) {
      SameMillisecond story(rule);
      const auto owner = story.world.NewMaintainer(true);
      if (change_first) story.TellTheChange(owner.get());
      Must(ApplyRequests(&story.world, owner.get(), {story.first}));
      Must(ApplyRequests(&story.world, owner.get(), {story.second}));
      Must(ApplyRequests(&story.world, owner.get(), {story.first}));
      EXPECT_EQ(story.world.Difference(), "") << rule.name << (change_first ? ", the change first" : "");
      if (!change_first) story.TellTheChange(owner.get());
      EXPECT_EQ(story.EndsWrong(), "") << rule.name << (change_first ? ", the change first" : "");
    }
  }
}

/// What is wrong in the end; no value: the first owner comes to its end before that write.
std::optional<std::string> PassesAPausedOwner(const Rule& rule, LateCall late, bool change_last) {
  SameMillisecond story(rule);
  StormStore storm(story.world.store(), story.world.store(), {late}, {});
  const auto paused = story.world.NewMaintainer(false, &storm);
  if (ApplyRequests(&story.world, paused.get(), {story.first}).ok()) return std::nullopt;
  storm.NewOwner();
  const auto next = story.world.NewMaintainer(false, &storm);
  Must(ApplyRequests(&story.world, next.get(), {story.first}));
  if (!change_last) story.TellTheChange(next.get());
  Must(ApplyRequests(&story.world, next.get(), {story.second}));
  storm.Drain();
  const std::string wrong = story.world.Difference();
  if (change_last) story.TellTheChange(next.get());
  return wrong.empty() ? story.EndsWrong() : wrong;
}

/// The owner of the first image is paused in each of its writes, which arrives behind each number of calls of the next
/// owner. That one begins with the first image, which was noted (M12), and is told the change before or behind the
/// second. No image waits for a mark (decision 18).
TEST(OldImages, F39OneThatPassesAPausedOwnerBringsNothingBack) {
  constexpr int kMostWrites = 8, kMostCalls = 30;
  int played = 0;
  for (int life = 0; life < 4 * kMostWrites * kMostCalls; ++life) {
    const Rule rule = life % 2 == 0 ? ValueRule() : FanOutRule();
    const bool change_last = life / 2 % 2 == 0;
    const LateCall late{.write = 1 + life / 4 % kMostWrites, .delay = 1 + life / 4 / kMostWrites};
    const std::optional<std::string> wrong = PassesAPausedOwner(rule, late, change_last);
    if (!wrong) continue;
    ++played;
    ASSERT_EQ(*wrong, "") << rule.name << ", write " << late.write << " behind " << late.delay << " calls"
                          << (change_last ? ", the change last" : "");
  }
  EXPECT_GT(played, 200);
}

}  // namespace
}  // namespace fensi::testing
