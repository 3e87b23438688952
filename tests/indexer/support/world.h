// A small world for one index: an embedded store with its tables, the source model beside it, and maintainers that are
// given batches by hand.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/maintainer.h"
#include "indexer/tables.h"
#include "store/embedded/embedded_store.h"
#include "support/rules.h"
#include "tests/consumer/memory_dead_letters.h"
#include "tests/store/faulty_store.h"

namespace fensi::testing {

/// Partition 0 of "source.changes", ours until somebody says otherwise.
class TestAssignment final : public consumer::Assignment {
 public:
  const std::string& topic() const override { return topic_; }
  int32_t partition() const override { return 0; }
  int32_t partition_count() const override { return 1; }
  Status Check() const override { return status_; }
  void Lose() { status_ = Status(StatusCode::kFenced, "the partition belongs to somebody else"); }

 private:
  std::string topic_ = "source.changes";
  Status status_;
};

/// Wall time near the small timestamps of the tests, so that delete markers are young (M10), unless moved.
class TestClock final : public Clock {
 public:
  std::chrono::milliseconds SinceBoot() const override { return std::chrono::milliseconds(now_); }
  int64_t WallMillis() const override { return now_; }
  void Sleep(std::chrono::milliseconds duration) override { now_ += duration.count(); }
  void Set(int64_t now) { now_ = now; }

 private:
  std::atomic<int64_t> now_{100};
};

inline void Must(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

inline std::string Text(const Entries& entries) {
  std::string text;
  for (const auto& [cell, value] : entries) text += "\n    " + cell.first + " " + cell.second + " = " + value;
  return text.empty() ? "\n    (empty)" : text;
}

class World {
 public:
  explicit World(const Rule& rule, bool with_source, const std::string& options = "")
      : rule_(rule), index_(CompileRule(rule, options)), with_source_(with_source) {
    Result<std::unique_ptr<store::EmbeddedStore>> opened =
        store::EmbeddedStore::Open({.in_memory = true, .clock = &clock_});
    Must(opened.status());
    store_ = std::move(*opened);
    faulty_ = std::make_unique<store::FaultyStore>(store_.get());
    CreateTables();
  }

  /// As new, but faster.
  void Reset() {
    for (const std::string& table : Tables()) Must(store_->DropTable(table));
    CreateTables();
    faulty_->Heal();
    faulty_->SetObserver({});
    model_ = {};
    assignment_ = std::make_shared<TestAssignment>();
    letters_ = std::make_unique<consumer::MemoryDeadLetters>();
    clock_.Set(100);
  }

  std::unique_ptr<indexer::Maintainer> NewMaintainer(bool fresh, store::Store* through = nullptr) {
    const indexer::MaintainerContext context{index_.get(),   through == nullptr ? faulty_.get() : through,
                                             letters_.get(), &counters_,
                                             with_source_,   size_t{1} << 20,
                                             size_t{1} << 12};
    return std::make_unique<indexer::Maintainer>(context, assignment_, fresh);
  }

  /// A batch of these events, the first at `offset`.
  consumer::Batch MakeBatch(std::span<const ChangeEvent> events, int64_t offset = 0) const {
    consumer::Batch batch;
    batch.assignment = assignment_;
    for (const ChangeEvent& event : events) batch.records.push_back({.offset = offset++, .event = event});
    batch.next_offset = offset;
    return batch;
  }

  /// Writes the event to the source table and to the model.
  void ApplyToSource(const ChangeEvent& event) {
    model_.Apply(event.row, event.cells);
    if (!with_source_) return;
    for (const Cell& cell : event.cells) {
      const store::RowMutation mutation{event.row, {cell}};
      const bool put = cell.type == CellType::kPut;
      Must((put ? store_->Put("source", {&mutation, 1}) : store_->Delete("source", {&mutation, 1})).status());
    }
  }
  void CompactSource() {
    model_.MajorCompact();
    if (with_source_) Must(store_->MajorCompact("source"));
  }
  /// Index and state; with `late` the markers of the index are old enough to go.
  void CompactIndex(bool late) {
    if (late) clock_.Set(int64_t{10} * 86'400'000);
    Must(store_->MajorCompact(index_->table()));
    Must(store_->MajorCompact(index_->state_table()));
    clock_.Set(100);
  }

  Entries Actual() const {
    Result<std::vector<store::Row>> rows = store_->Scan(index_->table(), {.max_rows = 100'000});
    Must(rows.status());
    Entries entries;
    for (const store::Row& row : *rows) {
      for (const Cell& cell : row.cells) entries[{row.row, cell.family + ":" + cell.qualifier}] = cell.value;
    }
    return entries;
  }
  Entries Wanted() const { return Expected(rule_, model_); }

  /// Empty when the index is the exact inverse of the source, else both.
  std::string Difference() const {
    const Entries wanted = Wanted(), actual = Actual();
    return wanted == actual ? "" : "\n  expected:" + Text(wanted) + "\n  found:" + Text(actual);
  }

  const Rule& rule() const { return rule_; }
  const mapping::Index& index() const { return *index_; }
  const SourceModel& model() const { return model_; }
  store::EmbeddedStore* store() { return store_.get(); }
  store::FaultyStore* faulty() { return faulty_.get(); }
  TestAssignment* assignment() { return assignment_.get(); }
  indexer::Counters* counters() { return &counters_; }
  consumer::MemoryDeadLetters* letters() { return letters_.get(); }
  TestClock* clock() { return &clock_; }
  bool with_source() const { return with_source_; }

 private:
  std::vector<std::string> Tables() const {
    std::vector<std::string> tables = {index_->table(), index_->state_table()};
    if (with_source_) tables.push_back("source");
    return tables;
  }
  void CreateTables() {
    Must(store_->CreateTable(indexer::IndexTablePlan(*index_, index_->table()).table, {}));
    Must(store_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}));
    if (with_source_) Must(store_->CreateTable({"source", {{.name = "f", .max_versions = 100}}}, {}));
  }

  const Rule rule_;
  const std::shared_ptr<const mapping::Index> index_;
  const bool with_source_;
  TestClock clock_;
  std::unique_ptr<store::EmbeddedStore> store_;
  std::unique_ptr<store::FaultyStore> faulty_;
  std::shared_ptr<TestAssignment> assignment_ = std::make_shared<TestAssignment>();
  std::unique_ptr<consumer::MemoryDeadLetters> letters_ = std::make_unique<consumer::MemoryDeadLetters>();
  indexer::Counters counters_;
  SourceModel model_;
};

}  // namespace fensi::testing
