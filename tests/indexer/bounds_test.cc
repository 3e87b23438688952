// What the worst input costs: memory is that of the live heap, time that of this thread alone.
#include <gtest/gtest.h>

#include <ctime>

#include "indexer/state/row_work.h"
#include "indexer/state/unit_codec.h"
#include "indexer/stateful_maintainer.h"
#include "tests/doubles/nothing_store.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/world.h"
#include "tests/support/peak_memory.h"

namespace fensi::testing {
namespace {

constexpr size_t kMiB = size_t{1} << 20;

double CpuMicros() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

ChangeEvent Put(const std::string& row, const std::string& qualifier, int64_t timestamp) {
  return {.table = "source",
          .row = row,
          .cells = {{.family = "f", .qualifier = qualifier, .timestamp = timestamp, .value = "value"}},
          .sequence_id = static_cast<uint64_t>(timestamp)};
}

/// Every state row has a hundred columns with long values. Watches the heap at each call.
class HeavyStates final : public NothingStore {
 public:
  static constexpr size_t kColumns = 100;
  static constexpr size_t kValueBytes = 1500;

  Result<std::vector<store::Row>> Get(const std::string&, std::span<const store::GetRequest> requests) override {
    std::vector<store::Row> rows(requests.size());
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = {requests[i].row, columns_};
    Watch();
    return rows;
  }
  Result<std::vector<store::RejectedRow>> Put(const std::string&, std::span<const store::RowMutation> rows) override {
    Watch();
    return NothingStore::Put("", rows);
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string&,
                                                 std::span<const store::RowMutation> rows) override {
    Watch();
    for (const store::RowMutation& row : rows) removed_ += row.cells.size();
    return NothingStore::Delete("", rows);
  }
  size_t most() const { return most_; }
  size_t removed() const { return removed_; }

 private:
  void Watch() { most_ = std::max(most_, LiveHeapBytes()); }
  static std::vector<Cell> Columns() {
    std::vector<Cell> cells;
    for (size_t i = 0; i < kColumns; ++i) {
      const std::string qualifier = "q" + std::to_string(1000 + i);
      indexer::Unit unit{.version = 5};
      unit.FindOrAdd("f", qualifier)->Put({5, 1, INT64_MAX, std::string(kValueBytes, 'v')}, false);
      cells.push_back({"s", "f:" + qualifier, 5, CellType::kPut, EncodeUnit(unit, false), {}});
    }
    return cells;
  }
  const std::vector<Cell> columns_ = Columns();
  size_t most_ = 0;
  size_t removed_ = 0;
};

/// Every row has a value of 150 KB, in its state and at the source, where it is another one at each look.
class HeavySource final : public NothingStore {
 public:
  static constexpr size_t kValueBytes = 150'000;

  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override {
    std::vector<store::Row> rows(requests.size());
    for (size_t i = 0; i < rows.size(); ++i) rows[i] = {requests[i].row, {table == "source" ? Shown() : state_}};
    most_ = std::max(most_, LiveHeapBytes());
    return rows;
  }
  void NextLook() { ++look_; }
  size_t most() const { return most_; }

 private:
  Cell Shown() const { return {"f", "v", look_, CellType::kPut, std::string(kValueBytes, 'v'), {}}; }
  static Cell State() {
    indexer::Unit unit{.version = 5};
    unit.FindOrAdd("f", "v")->Put({5, 1, INT64_MAX, std::string(kValueBytes, 'v')}, false);
    return {"s", "", 5, CellType::kPut, EncodeUnit(unit, true), {}};
  }
  const Cell state_ = State();
  int64_t look_ = 1;
  size_t most_ = 0;
};

/// Rows named "large" are as large as a state can be, at the source too; rows named "shown" have no state, but are as
/// large at the source; all others have nothing. Watches the heap.
class LargestRows final : public NothingStore {
 public:
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> requests,
                                          size_t max_bytes) override {
    std::vector<store::Row> rows;
    size_t bytes = 0;
    for (size_t i = 0; i < requests.size() && bytes < max_bytes; ++i) {
      rows.push_back({requests[i].row, {}});
      const bool shown = table == "source" && requests[i].row.starts_with("shown");
      if (shown || requests[i].row.starts_with("large")) rows[i].cells.push_back(table == "source" ? shown_ : state_);
      bytes += store::HeldBytes(rows[i]);
    }
    most_asked_ = std::max(most_asked_, requests.size());
    Watch();
    return rows;
  }
  Result<std::vector<store::RejectedRow>> Put(const std::string&, std::span<const store::RowMutation> rows) override {
    Watch();
    for (const store::RowMutation& row : rows) states_ += row.row.starts_with("large") && row.cells[0].family == "s";
    return std::vector<store::RejectedRow>();
  }
  size_t most() const { return most_; }
  size_t most_asked() const { return most_asked_; }
  size_t states() const { return states_; }

 private:
  static constexpr size_t kValueBytes = 8'300'000;
  void Watch() { most_ = std::max(most_, LiveHeapBytes()); }
  static Cell State() {
    indexer::Unit unit{.version = 5};
    unit.FindOrAdd("f", "v")->Put({5, 1, INT64_MAX, std::string(kValueBytes, 'v')}, false);
    return {"s", "", 5, CellType::kPut, EncodeUnit(unit, true), {}};
  }
  const Cell state_ = State();
  const Cell shown_ = {"f", "v", 1, CellType::kPut, std::string(kValueBytes, 'w'), {}};
  size_t most_ = 0, most_asked_ = 0, states_ = 0;
};

class Bounds : public ::testing::Test {
 protected:
  std::unique_ptr<indexer::IndexMaintainer> Make(store::Store* store, bool fresh, size_t cache_bytes) {
    indexer::MaintainerOptions context{&world_.index(), store, world_.letters(), world_.counters()};
    context.cache_bytes = cache_bytes;
    return std::make_unique<indexer::StatefulMaintainer>(context, assignment_, fresh);
  }
  Status Apply(indexer::IndexMaintainer* maintainer, const std::vector<ChangeEvent>& events) {
    return maintainer->Apply(world_.MakeBatch(events));
  }
  /// Writes the columns of one row in batches.
  void Fill(indexer::IndexMaintainer* maintainer, int columns) {
    std::vector<ChangeEvent> events;
    for (int i = 0; i < columns; ++i) {
      events.push_back(Put("wide", "q" + std::to_string(i), ++time_));
      if (events.size() < 2000 && i + 1 < columns) continue;
      Must(Apply(maintainer, events));
      events.clear();
    }
  }
  /// CPU of one event of a row with so many columns, in batches of one.
  double CostOfAnEvent(int columns) {
    const auto maintainer = Make(&nothing_, true, 512 * kMiB);
    Fill(maintainer.get(), columns);
    constexpr int kEvents = 1000;
    const double before = CpuMicros();
    for (int i = 0; i < kEvents; ++i) {
      Must(Apply(maintainer.get(), {Put("wide", "q" + std::to_string(i * 7919 % columns), ++time_)}));
    }
    return (CpuMicros() - before) / kEvents;
  }

  World world_{QualifierRule(), false};
  NothingStore nothing_;
  std::shared_ptr<FakeAssignment> assignment_ = std::make_shared<FakeAssignment>();
  int64_t time_ = 0;
};

TEST_F(Bounds, AnEventOfAWideRowCostsWhatItsColumnCosts) {
  const double narrow = CostOfAnEvent(10), wide = CostOfAnEvent(100'000);
  std::printf("an event of a row of 10 columns %.1f us, of 100,000 columns %.1f us\n", narrow, wide);
  EXPECT_LT(wide, 5 * narrow + 20);
}

TEST_F(Bounds, TheCacheOfAWideRowKeepsItsBound) {
  const size_t before = LiveHeapBytes();
  const auto maintainer = Make(&nothing_, false, 4 * kMiB);
  Fill(maintainer.get(), 100'000);
  const size_t used = LiveHeapBytes() - before;
  std::printf("100,000 columns with a cache of 4 MiB: %.1f MiB\n", static_cast<double>(used) / kMiB);
  EXPECT_LT(used, 5 * kMiB);
}

TEST_F(Bounds, DeletesOfManyWideRowsTakeMemoryForAFewOfThem) {
  HeavyStates heavy;
  const auto maintainer = Make(&heavy, false, kMiB);
  std::vector<ChangeEvent> events;
  for (int i = 0; i < 1000; ++i) {
    ChangeEvent gone = Put("row" + std::to_string(i), "", 9);
    gone.cells[0].type = CellType::kDeleteFamily;
    events.push_back(gone);
  }
  const size_t before = LiveHeapBytes();
  ASSERT_TRUE(Apply(maintainer.get(), events).ok());
  const double used = static_cast<double>(heavy.most() - before) / kMiB;
  std::printf("1,000 deletes of rows with 150 KB of state each: %.1f MiB\n", used);
  EXPECT_LT(used, 64);
  EXPECT_EQ(heavy.removed(), 100'000u);
}

TEST_F(Bounds, LooksAtManyLargeRowsInDoubtTakeMemoryForAFewOfThem) {
  HeavySource heavy;
  World world(ValueRule(), true);
  indexer::MaintainerOptions context{&world.index(), &heavy, world.letters(), world.counters(), true, kMiB};
  context.clock = world.clock();
  indexer::StatefulMaintainer maintainer(context, assignment_, false);
  std::vector<ChangeEvent> events;
  for (int i = 0; i < 1000; ++i) {
    ChangeEvent gone = Put("row" + std::to_string(i), "v", 5);
    gone.cells[0].type = CellType::kDelete;
    events.push_back(gone);
  }
  const consumer::Batch batch = world.MakeBatch(events);
  const size_t before = LiveHeapBytes();
  ASSERT_TRUE(maintainer.Apply(batch).ok());
  heavy.NextLook();
  ASSERT_TRUE(maintainer.second_look());
  ASSERT_TRUE(maintainer.RereadSource(batch).ok());
  EXPECT_FALSE(maintainer.second_look());
  EXPECT_EQ(world.counters()->source_reads, 2000);
  const double used = static_cast<double>(heavy.most() - before) / kMiB;
  std::printf("1,000 rows in doubt with 150 KB each: %.1f MiB\n", used);
  EXPECT_LT(used, 64);
}

/// Small rows, so that the pace is at its highest, and then large ones, of which all before tells nothing.
class SuddenlyLarge : public Bounds {
 protected:
  static constexpr int kLarge = 40;

  /// With a source, each puts its row in doubt.
  static std::vector<ChangeEvent> Deletes(const std::string& row, int count, bool read_source) {
    std::vector<ChangeEvent> events;
    for (int i = 0; i < count; ++i) {
      events.push_back(Put(row + std::to_string(i), "v", 5));
      events.back().cells[0].type = read_source ? CellType::kUnknownDelete : CellType::kDelete;
    }
    return events;
  }
  /// What the large rows take at most, in MiB, with both looks at the source where it is read.
  double Costs(bool read_source, const std::string& row = "large") {
    World world(ValueRule(), read_source);
    indexer::MaintainerOptions context{&world.index(), &rows_, world.letters(), world.counters(), read_source, kMiB};
    context.clock = world.clock();
    indexer::StatefulMaintainer maintainer(context, assignment_, false);
    const consumer::Batch small = world.MakeBatch(Deletes("small", 10'000, read_source));
    Must(maintainer.Apply(small));
    Must(maintainer.RereadSource(small));
    const consumer::Batch large = world.MakeBatch(Deletes(row, kLarge, read_source));
    const size_t before = LiveHeapBytes();
    Must(maintainer.Apply(large));
    Must(maintainer.RereadSource(large));
    EXPECT_EQ(world.counters()->source_reads, read_source ? 2 * (10'000 + kLarge) : 0);
    return static_cast<double>(rows_.most() - before) / kMiB;
  }

  LargestRows rows_;
};

TEST_F(SuddenlyLarge, StatesTakeMemoryForAFewOfThem) {
  const double used = Costs(false);
  std::printf("%d states of 8 MB after 10,000 small ones: %.1f MiB\n", kLarge, used);
  EXPECT_LT(used, 64);
  EXPECT_GE(rows_.most_asked(), 4096u);
  EXPECT_EQ(rows_.states(), static_cast<size_t>(kLarge));
}

TEST_F(SuddenlyLarge, TheLargestBatchesAskForABoundedNumberOfStatesTogether) {
  World world(ValueRule(), false);
  indexer::MaintainerOptions context{&world.index(), &rows_, world.letters(), world.counters(), false, kMiB};
  context.clock = world.clock();
  indexer::StatefulMaintainer maintainer(context, assignment_, false);
  for (const char* rows : {"a", "b", "c"}) Must(maintainer.Apply(world.MakeBatch(Deletes(rows, 20'000, false))));
  EXPECT_EQ(rows_.most_asked(), 16'384u);
}

TEST_F(SuddenlyLarge, RowsInDoubtTakeMemoryForAFewOfThem) {
  const double used = Costs(true);
  std::printf("%d rows in doubt of 8 MB after 10,000 small ones: %.1f MiB\n", kLarge, used);
  EXPECT_LT(used, 96);
  EXPECT_GE(rows_.most_asked(), 4096u);
  EXPECT_GE(rows_.states(), static_cast<size_t>(kLarge));
}

TEST_F(SuddenlyLarge, RowsInDoubtOfSmallStatesTakeMemoryForAFewOfThem) {
  const double used = Costs(true, "shown");
  std::printf("%d rows in doubt of 8 MB, of no state, after 10,000 small ones: %.1f MiB\n", kLarge, used);
  EXPECT_LT(used, 96);
}

TEST(EntrySetTest, HoldsACellOnceHoweverOftenItComes) {
  indexer::EntrySet set;
  mapping::Entry entry{.table = "t", .family = "f", .qualifier = "q"};
  for (int i = 0; i < 1000; ++i) {
    const std::string row = "row" + std::to_string(i % 10);
    entry.row = row;
    const size_t added = set.Add(entry);
    EXPECT_EQ(added > 0, i < 10);
  }
  EXPECT_EQ(set.size(), 10u);
}

}  // namespace
}  // namespace fensi::testing
