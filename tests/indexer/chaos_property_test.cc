// An index is what the source says, whatever becomes of its owners: each write of an owner may be lost, done, done in
// part, or late. Beside that there are requests, replays, repeats, time that passes, and reads that come too early.
//
// A kind and a seed name a history: FENSI_CHAOS_SEED=SEED FENSI_HISTORIES=1 with the filter */KIND plays it and the
// next.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "tests/indexer/support/chaos_generator.h"
#include "tests/indexer/support/chaos_player.h"
#include "tests/indexer/support/chaos_shrinker.h"
#include "tests/indexer/support/properties.h"

namespace fensi::testing {

void PrintTo(const ChaosKind& kind, std::ostream* out) { *out << kind.name; }

namespace {

constexpr size_t kMostWorlds = 40;

int64_t NumberFrom(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

/// One world for each index: a new one costs more than a history.
class Worlds {
 public:
  World* Of(const ChaosSetting& setting) {
    if (worlds_.size() > kMostWorlds) worlds_.clear();
    auto& world = worlds_[{setting.with_source, OptionsOf(setting)}];
    if (world == nullptr) world = std::make_unique<World>(setting.kind->rule, setting.with_source, OptionsOf(setting));
    return world.get();
  }

 private:
  std::map<std::pair<bool, std::string>, std::unique_ptr<World>> worlds_;
};

ChaosShape ShapeOf(uint64_t seed) {
  if (seed % 64 == 0) return ChaosShape::kLong;
  return seed % 3 == 0 ? ChaosShape::kBacklog : ChaosShape::kMixed;
}

class Chaos : public ::testing::TestWithParam<ChaosKind> {
 protected:
  void Run(uint64_t first, int64_t histories) {
    for (uint64_t seed = first; seed < first + static_cast<uint64_t>(histories); ++seed) {
      const ChaosHistory history = SomeChaos(seed, GetParam(), ShapeOf(seed));
      const std::string wrong = DifferenceOf(history);
      if (wrong.empty()) continue;
      const ChaosHistory small = Shrunk(history, static_cast<int>(NumberFrom("FENSI_CHAOS_TRIES", 1000)),
                                        [&](const ChaosHistory& other) { return !DifferenceOf(other).empty(); });
      FAIL() << "seed " << seed << ", after " << seed - first + 1 << " histories\n"
             << small.Text() << DifferenceOf(small);
    }
  }

  /// A generator that never reaches a thing proves nothing of it.
  void ExpectEverything(int64_t histories) {
    for (const auto& [what, n] : counts_) std::printf("  %10lld  %s\n", static_cast<long long>(n), what.c_str());
    EXPECT_LE(counts_["outside of the promise"], histories / 5);
    for (const char* often : {"deaths", "events applied again", "replays", "requests", "comparisons"}) {
      EXPECT_GE(counts_[often], histories / 2) << often;
    }
    for (const char* seldom : {"late writes", "batches of 10 and more"}) {
      EXPECT_GE(counts_[seldom], histories / 10) << seldom;
    }
    const int64_t rereads = GetParam().keys == ChaosKind::Keys::kShared ? 0 : histories / 10;
    EXPECT_GE(counts_["re-reads"], rereads);
  }

 private:
  std::string DifferenceOf(const ChaosHistory& history) {
    return ChaosPlayer(worlds_.Of(history.setting), history, &counts_).Differs();
  }

  Worlds worlds_;
  ChaosCounts counts_;
};

TEST_P(Chaos, LeavesTheIndexAsTheSourceSaysIt) {
  const int64_t first = NumberFrom("FENSI_CHAOS_SEED", 1), histories = 3 * Histories() / 2;
  Run(static_cast<uint64_t>(first), histories);
  if (!HasFailure() && first == 1) ExpectEverything(histories);
}

INSTANTIATE_TEST_SUITE_P(Kinds, Chaos, ::testing::ValuesIn(ChaosKinds()),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace fensi::testing
