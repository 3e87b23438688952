#include "cli/cases/trial.h"

#include <algorithm>
#include <atomic>

#include "cli/planning/table_plan.h"
#include "cli/run/list_source.h"
#include "indexer/index_runner.h"
#include "store/open_store.h"

namespace fensi::cli {
namespace {

using store::RejectedRow;
using store::Row;
using store::RowMutation;
using store::TableDescriptor;

/// Hands everything on and tells the observer what is written.
class ObservedStore final : public store::Store {
 public:
  ObservedStore(Store* store, TrialObserver* observer) : store_(store), observer_(observer) {}

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    Tell(table, rows);
    return store_->Put(table, rows);
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    Tell(table, rows);
    return store_->Delete(table, rows);
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override {
    return store_->Get(table, requests);
  }
  Result<std::vector<Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    return store_->Scan(table, request);
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return store_->CreateTable(table, split_keys);
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    return store_->DescribeTable(table);
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return store_->RegionStarts(table);
  }
  Status DropTable(const std::string& table) override { return store_->DropTable(table); }

 private:
  void Tell(const std::string& table, std::span<const RowMutation> rows) {
    for (const RowMutation& row : rows) {
      if (observer_ != nullptr) observer_->Written(table, row);
    }
  }

  Store* const store_;
  TrialObserver* const observer_;
};

class ObservedDeadLetters final : public consumer::DeadLetterSink {
 public:
  explicit ObservedDeadLetters(TrialObserver* observer) : observer_(observer) {}
  Status Send(const consumer::DeadLetter& letter) override {
    if (observer_ != nullptr) observer_->Refused(letter);
    return Status();
  }
  Status Flush() override { return Status(); }

 private:
  TrialObserver* const observer_;
};

/// The wall stands at the epoch: examples are stamped 1, 2, 3, and must not expire by the TTL of their families.
class ExampleClock final : public Clock {
 public:
  std::chrono::milliseconds SinceBoot() const override { return SystemClock()->SinceBoot(); }
  int64_t WallMillis() const override { return 0; }
  void Sleep(std::chrono::milliseconds duration) override { SystemClock()->Sleep(duration); }
};

Clock* TrialClock() {
  static ExampleClock clock;
  return &clock;
}

}  // namespace

class Trial::NewestChange final : public Clock {
 public:
  void Saw(const std::vector<ChangeEvent>& events) {
    for (const ChangeEvent& event : events) {
      for (const Cell& cell : event.cells) newest_ = std::max<int64_t>(newest_, cell.timestamp);
    }
  }
  std::chrono::milliseconds SinceBoot() const override { return SystemClock()->SinceBoot(); }
  int64_t WallMillis() const override { return newest_; }
  void Sleep(std::chrono::milliseconds duration) override { SystemClock()->Sleep(duration); }

 private:
  std::atomic<int64_t> newest_ = 0;
};

Result<std::unique_ptr<Trial>> Trial::Start(std::shared_ptr<const mapping::Index> index) {
  Result<std::unique_ptr<store::Store>> store = store::OpenMemoryStore(TrialClock());
  if (!store.ok()) return store.status();
  return StartIn(std::move(*store), std::move(index));
}

Result<std::unique_ptr<Trial>> Trial::StartIn(std::unique_ptr<store::Store> store,
                                              std::shared_ptr<const mapping::Index> index) {
  const Result<std::vector<PlannedTable>> plans = PlanTables(*index, store.get());
  if (!plans.ok()) return plans.status();
  FENSI_RETURN_IF_ERROR(CreateTables(*plans, store.get()));
  return std::unique_ptr<Trial>(new Trial(std::move(index), std::move(store)));
}

Trial::Trial(std::shared_ptr<const mapping::Index> index, std::unique_ptr<store::Store> store)
    : index_(std::move(index)), now_(std::make_unique<NewestChange>()), store_(std::move(store)) {}

Trial::~Trial() = default;

Status Trial::Apply(std::vector<ChangeEvent> events, TrialObserver* observer) {
  now_->Saw(events);
  ListSource source(index_->topic(), std::move(events), 1);
  ObservedStore store(store_.get(), observer);
  ObservedDeadLetters letters(observer);
  indexer::IndexRunner runner(index_, &source, &store, &letters, now_.get(), {});
  return runner.Run();
}

}  // namespace fensi::cli
