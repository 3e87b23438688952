// Random histories on a real HBase, many in one set of tables: deaths at random calls, flush and major compaction
// between, compared with the model; and the model itself compared with what HBase shows of the source table.
#include <gtest/gtest.h>

#include "indexer/make_index_maintainer.h"
#include "tests/indexer/support/real_world.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

constexpr size_t kEventsPerHistory = 14;

/// Tells a stream in batches, some of them twice, by owners that sometimes die.
class Teller {
 public:
  explicit Teller(RealWorld* world) : world_(world) {
    const bool row_units = world->index()->state_scope() == mapping::StateScope::kRow;
    const bool mirror = world->index()->scheme() == mapping::Scheme::kStateless;
    // A bucket for half of the rows each, with some states apart; or rows of their own, as of an older index.
    if (row_units && !mirror && world->random()() % 4 != 0) layout_ = {.bucket_bits = 1, .most_in_bucket = 45};
  }

  void Tell(const std::vector<ChangeEvent>& stream) {
    auto& random = world_->random();
    store::FaultyStore faulty(world_->store());
    indexer::MaintainerOptions context{world_->index().get(), &faulty, &letters_, &counters_, true};
    context.scheme = world_->index()->scheme();
    context.layout = layout_;
    size_t committed = 0, position = 0;
    auto maintainer = indexer::MakeIndexMaintainer(context, assignment_, false);
    while (committed < stream.size()) {
      const size_t size = std::min<size_t>(10 + random() % 30, stream.size() - position);
      if (random() % 3 == 0) {
        faulty.FailCall(1 + static_cast<int>(random() % 6),
                        random() % 2 == 0 ? store::FaultyStore::When::kBefore : store::FaultyStore::When::kAfter);
      }
      consumer::Batch batch{.assignment = assignment_};
      for (size_t i = position; i < position + size; ++i) batch.records.push_back({.event = stream[i]});
      Status applied = maintainer->Apply(batch);
      if (applied.ok() && maintainer->second_look()) applied = maintainer->RereadSource(batch);
      faulty.Heal();
      if (!applied.ok()) {
        ++deaths_;
        maintainer = indexer::MakeIndexMaintainer(context, assignment_, false);
        position = committed;
        continue;
      }
      position += size;
      if (random() % 2 == 0 || position == stream.size()) committed = position;
    }
  }

  int deaths() const { return deaths_; }

 private:
  RealWorld* const world_;
  indexer::StateLayout layout_;
  const std::shared_ptr<FakeAssignment> assignment_ = std::make_shared<FakeAssignment>();
  consumer::MemoryDeadLetters letters_;
  indexer::Counters counters_;
  int deaths_ = 0;
};

class RealHistories : public ::testing::TestWithParam<int> {};

TEST_P(RealHistories, EndExactBeforeAndAfterCompaction) {
  RealWorld world(RulesWithSource()[static_cast<size_t>(GetParam())], "told_",
                  20'161'219 + static_cast<uint64_t>(GetParam()));
  Teller teller(&world);
  for (int half = 0; half < 2; ++half) {
    teller.Tell(world.Write(kEventsPerHistory / 2, 3));
    ASSERT_EQ(world.SourceDifference(), "");
    ASSERT_EQ(world.IndexDifference(), "");
    world.Compact();
    ASSERT_EQ(world.SourceDifference(), "") << "after a major compaction";
    ASSERT_EQ(world.IndexDifference(), "") << "after a major compaction";
  }
  EXPECT_GT(teller.deaths(), 0);
  std::printf("%d histories, %zu events, %d deaths: 0 missing, 0 orphaned, 0 wrong\n", RealWorld::kHistories,
              world.events(), teller.deaths());
}

INSTANTIATE_TEST_SUITE_P(Rules, RealHistories, ::testing::Range(0, static_cast<int>(RulesWithSource().size())));

}  // namespace
}  // namespace fensi::testing
