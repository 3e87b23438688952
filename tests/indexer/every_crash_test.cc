// Death at every place: a fixed history of 200 events is run again and again; the process dies at the n-th call of
// store or consumer, for every n, before and after the call took effect, and starts again with other batch borders.
#include <gtest/gtest.h>

#include <random>

#include "indexer/index_runner.h"
#include "support/world.h"
#include "tests/consumer/memory_source.h"

namespace fensi::testing {
namespace {

constexpr size_t kEvents = 200;

std::vector<ChangeEvent> FixedHistory(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<ChangeEvent> events;
  for (size_t i = 0; i < kEvents; ++i) {
    ChangeEvent event{.table = "source", .row = "r" + std::to_string(random() % 12), .sequence_id = i + 1};
    Cell cell{.family = "f", .qualifier = std::string(1, "kvm"[random() % 3])};
    cell.timestamp = static_cast<int64_t>(10 + i / 2);  // two events share a millisecond
    cell.value = std::string(1, static_cast<char>('a' + random() % 4));
    const uint64_t kind = random() % 10;
    if (kind == 0) cell.type = CellType::kDeleteFamily;
    if (kind == 1) cell.type = CellType::kDeleteColumn;
    if (kind == 2) cell.type = CellType::kDelete;
    if (cell.type != CellType::kPut) cell.value.clear();
    if (cell.type == CellType::kDeleteFamily) cell.qualifier.clear();
    event.cells.push_back(cell);
    events.push_back(event);
  }
  return events;
}

/// Counts the calls of a process and lets it die at one of them: from there on every call fails.
class Fate {
 public:
  Fate(int dies_at, bool after) : dies_at_(dies_at), after_(after) {}

  bool DiesBefore() {
    if (++calls_ == dies_at_ && !after_) dead_ = true;
    return dead_;
  }
  bool DiesAfter() {
    if (calls_ == dies_at_ && after_) dead_ = true;
    return dead_;
  }
  int calls() const { return calls_; }
  bool dead() const { return dead_; }

 private:
  const int dies_at_;
  const bool after_;
  int calls_ = 0;
  bool dead_ = false;
};

const Status kDead(StatusCode::kInternal, "the process is dead");

/// Every call of the store passes the fate.
class MortalStore final : public store::Store {
 public:
  MortalStore(store::Store* behind, Fate* fate) : behind_(behind), fate_(fate) {}
  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override {
    return Run<Result<std::vector<store::RejectedRow>>>([&] { return behind_->Put(table, rows); });
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override {
    return Run<Result<std::vector<store::RejectedRow>>>([&] { return behind_->Delete(table, rows); });
  }
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> gets) override {
    return Run<Result<std::vector<store::Row>>>([&] { return behind_->Get(table, gets); });
  }
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    return Run<Result<std::vector<store::Row>>>([&] { return behind_->Scan(table, request); });
  }
  Status CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& splits) override {
    return behind_->CreateTable(table, splits);
  }
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override {
    return Run<Result<std::optional<store::TableDescriptor>>>([&] { return behind_->DescribeTable(table); });
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return behind_->RegionStarts(table);
  }
  Status DropTable(const std::string& table) override { return behind_->DropTable(table); }

 private:
  template <typename Answer, typename Function>
  Answer Run(Function call) {
    if (fate_->DiesBefore()) return kDead;
    Answer answer = call();
    if (fate_->DiesAfter()) return kDead;
    return answer;
  }
  store::Store* const behind_;
  Fate* const fate_;
};

/// One life of the process, to the end of the stream or to its death. One worker, so that calls come in one order.
Status Live(World* world, const std::shared_ptr<consumer::MemoryLog>& log, size_t batch_records, Fate* fate) {
  MortalStore store(world->store(), fate);
  consumer::MemorySource source(
      log, {.batch_records = batch_records, .dies = [fate](std::string_view) { return fate->DiesBefore(); }});
  const auto index = std::shared_ptr<const mapping::Index>(&world->index(), [](const mapping::Index*) {});
  indexer::IndexRunner runner(index, &source, &store, world->letters(), world->clock(), {.workers = 1});
  return runner.Run();
}

class EveryCrash : public ::testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(EveryCrash, EndsExact) {
  const auto [rule, with_source] = GetParam();
  World world(AllRules()[static_cast<size_t>(rule)], with_source);
  const std::vector<ChangeEvent> events = FixedHistory(4711);
  int places = 0;
  for (const bool after : {false, true}) {
    for (int place = 1;; ++place) {
      world.Reset();
      for (const ChangeEvent& event : events) world.ApplyToSource(event);
      const auto log = std::make_shared<consumer::MemoryLog>(std::vector<std::vector<ChangeEvent>>{events});
      Fate fate(place, after);
      (void)Live(&world, log, 23, &fate);
      if (!fate.dead()) break;
      ++places;
      Fate unharmed(0, false);
      const Status rest = Live(&world, log, 17, &unharmed);
      ASSERT_TRUE(rest.ok()) << rest.ToString() << " after a death at call " << place;
      ASSERT_EQ(world.Difference(), "") << "died " << (after ? "after" : "before") << " call " << place;
    }
  }
  EXPECT_GT(places, 50);
  std::printf("%-10s died at %d places, exact each time\n", world.rule().name.c_str(), places);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryCrash,
                         ::testing::Combine(::testing::Range(0, static_cast<int>(AllRules().size())),
                                            ::testing::Bool()));

}  // namespace
}  // namespace fensi::testing
