// An owner that meets a bulk load records it before the offset moves, or leaves a dead letter (M27).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/index_runner.h"
#include "meta/bulk_loads.h"
#include "meta/index_record.h"
#include "tests/doubles/memory_source.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kMeta[] = "fensi_meta";

ChangeEvent LoadOf(std::vector<std::string> families, const std::string& table = "source") {
  return {.table = table,
          .row = "m",
          .sequence_id = 7,
          .region = "r1",
          .write_time = 50,
          .kind = EventKind::kBulkLoad,
          .families = std::move(families)};
}

class RunnerLoadsTest : public ::testing::Test {
 protected:
  void Begin(World* world, const consumer::MemorySourceOptions& options = {}, const std::string& meta_table = kMeta) {
    if (!meta_table.empty() && !(*world->store()->DescribeTable(kMeta)).has_value()) {
      Must(world->store()->CreateTable(meta::MetaTable(kMeta), {}));
    }
    source_ = std::make_unique<consumer::MemorySource>(log_, options);
    const auto index = std::shared_ptr<const mapping::Index>(&world->index(), [](const mapping::Index*) {});
    runner_ = std::make_unique<indexer::IndexRunner>(index, source_.get(), world->faulty(), world->letters(),
                                                     world->clock(), indexer::RunnerOptions{.meta_table = meta_table});
  }
  std::vector<meta::LoadedRegion> Waiting(World* world) {
    const auto incarnation = indexer::MetaRow(&world->index(), world->store()).Read("incarnation");
    const meta::BulkLoads loads({world->store(), kMeta, meta::LoadsRow(world->index().name())},
                                incarnation.ok() && incarnation->has_value() ? (*incarnation)->value : "");
    return loads.Waiting().value();
  }

  World world_{ValueRule(), true};
  std::shared_ptr<consumer::MemoryLog> log_ = std::make_shared<consumer::MemoryLog>(1);
  std::unique_ptr<consumer::MemorySource> source_;
  std::unique_ptr<indexer::IndexRunner> runner_;
};

TEST_F(RunnerLoadsTest, RecordsALoadBeforeTheOffsetMoves) {
  log_->Append(0, LoadOf({"g", "f"}));
  size_t recorded = 0;
  Begin(&world_, {.dies = [&](std::string_view call) {
    if (call == "done") recorded = Waiting(&world_).size();
    return call == "done";
  }});
  (void)runner_->Run();
  EXPECT_EQ(recorded, 1u);
  EXPECT_EQ(log_->at(0).committed, std::nullopt) << "the next owner meets it again";
  Begin(&world_);
  ASSERT_TRUE(runner_->Run().ok());
  const std::vector<meta::LoadedRegion> waiting = Waiting(&world_);
  ASSERT_EQ(waiting.size(), 1u);
  EXPECT_EQ(waiting[0].region, "r1");
  EXPECT_EQ(waiting[0].row, "m");
  EXPECT_EQ(waiting[0].written, 50);
  EXPECT_EQ(runner_->counts().bulk_loads, 1);
  EXPECT_EQ(runner_->counts().dead_letters, 0);
}

TEST_F(RunnerLoadsTest, OfAFamilyThatTheIndexDoesNotReadAreNothing) {
  log_->Append(0, LoadOf({"g"}));
  log_->Append(0, LoadOf({"f"}, "other"));
  Begin(&world_);
  ASSERT_TRUE(runner_->Run().ok());
  EXPECT_THAT(Waiting(&world_), IsEmpty());
  EXPECT_EQ(runner_->counts().dead_letters, 0);
}

TEST_F(RunnerLoadsTest, OfUnknownFamiliesMayBeOfAnyFamily) {
  log_->Append(0, LoadOf({}));
  Begin(&world_);
  ASSERT_TRUE(runner_->Run().ok());
  EXPECT_EQ(Waiting(&world_).size(), 1u);
}

TEST_F(RunnerLoadsTest, OfAnIndexThatDoesNotReadItsSourceBecomeDeadLetters) {
  World without(ValueRule(), false), shared(SharedRule(), true);
  for (World* world : {&without, &shared}) {
    log_ = std::make_shared<consumer::MemoryLog>(1);
    log_->Append(0, LoadOf({}));
    Begin(world);
    ASSERT_TRUE(runner_->Run().ok());
    EXPECT_THAT(Waiting(world), IsEmpty());
    EXPECT_EQ(runner_->counts().letters_of[static_cast<size_t>(indexer::LetterKind::kSourceRequired)], 1);
    ASSERT_EQ(world->letters()->letters().size(), 1u);
    EXPECT_THAT(world->letters()->letters()[0].reason, HasSubstr("a bulk load brought files into region r1"));
  }
}

TEST_F(RunnerLoadsTest, OfAStreamWithoutAMetaTableBecomeDeadLetters) {
  log_->Append(0, LoadOf({}));
  Begin(&world_, {}, "");
  ASSERT_TRUE(runner_->Run().ok());
  EXPECT_EQ(runner_->counts().dead_letters, 1);
}

}  // namespace
}  // namespace fensi::testing
