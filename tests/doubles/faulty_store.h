// A store that fails on demand: before a call reaches the store behind it, or after (the reply is lost, the write is
// there). Counts calls. Any thread; the store behind must outlive it.
//
//   FaultyStore store(embedded.get());
//   store.FailCall(3, FaultyStore::When::kAfter);       // the third call from now, whatever it is
//   store.FailCall(1, FaultyStore::When::kBefore, {}, FaultyStore::Call::kDelete);  // the next Delete
//   store.FailAlways(Status(...)); store.Heal();
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace fensi::store {

class FaultyStore final : public Store {
 public:
  enum class When { kBefore, kAfter };
  enum class Call {
    kAny,
    kPut,
    kDelete,
    kCompareAndPut,
    kGet,
    kScan,
    kCreateTable,
    kDescribeTable,
    kTableNames,
    kRegionStarts,
    kDropTable
  };

  explicit FaultyStore(Store* behind) : behind_(behind) {}

  static Status Lost() { return Status(StatusCode::kUnavailable, "the reply was lost (injected)"); }

  /// Fails the n-th call (1: the next) of the given kind, counted from now. Several faults may wait at once.
  void FailCall(int n, When when, Status error = Lost(), Call kind = Call::kAny) {
    const std::lock_guard lock(mu_);
    faults_.push_back({n, when, error.ok() ? Lost() : std::move(error), kind});
  }
  /// Fails every call before it reaches the store, until Heal().
  void FailAlways(Status error = Lost()) {
    const std::lock_guard lock(mu_);
    always_ = std::move(error);
  }
  /// Forgets all faults.
  void Heal() {
    const std::lock_guard lock(mu_);
    always_ = Status();
    faults_.clear();
  }
  /// Runs before every call, with its kind and table; an error is returned instead of calling. Empty: none.
  void SetObserver(std::function<Status(Call, const std::string& table)> observer) {
    const std::lock_guard lock(mu_);
    observer_ = std::move(observer);
  }
  int Calls(Call kind = Call::kAny) const {
    const std::lock_guard lock(mu_);
    return counts_[static_cast<int>(kind)];
  }

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    return Run<Result<std::vector<RejectedRow>>>(Call::kPut, table, [&] { return behind_->Put(table, rows); });
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    return Run<Result<std::vector<RejectedRow>>>(Call::kDelete, table, [&] { return behind_->Delete(table, rows); });
  }
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    return Run<Result<bool>>(Call::kCompareAndPut, table, [&] { return behind_->CompareAndPut(table, change); });
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    return Run<Result<std::vector<Row>>>(Call::kGet, table, [&] { return behind_->Get(table, requests); });
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    return Run<Result<std::vector<Row>>>(Call::kGet, table,
                                         [&] { return behind_->GetSome(table, requests, max_bytes); });
  }
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override {
    return Run<Result<std::vector<Row>>>(Call::kScan, table, [&] { return behind_->Scan(table, request); });
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return Run<Status>(Call::kCreateTable, table.name, [&] { return behind_->CreateTable(table, split_keys); });
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    return Run<Result<std::optional<TableDescriptor>>>(Call::kDescribeTable, table,
                                                       [&] { return behind_->DescribeTable(table); });
  }
  Result<std::vector<std::string>> TableNames() override {
    return Run<Result<std::vector<std::string>>>(Call::kTableNames, "", [&] { return behind_->TableNames(); });
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return Run<Result<std::vector<std::string>>>(Call::kRegionStarts, table,
                                                 [&] { return behind_->RegionStarts(table); });
  }
  Status DropTable(const std::string& table) override {
    return Run<Status>(Call::kDropTable, table, [&] { return behind_->DropTable(table); });
  }

 private:
  struct Fault {
    int calls_left;
    When when;
    Status error;
    Call kind;
  };
  struct Plan {
    Status before;
    Status after;
  };

  /// Counts the call and takes the faults that are due.
  Plan Enter(Call kind) {
    Plan plan{always_, Status()};
    ++counts_[static_cast<int>(Call::kAny)];
    ++counts_[static_cast<int>(kind)];
    std::erase_if(faults_, [&](Fault& fault) {
      if ((fault.kind != Call::kAny && fault.kind != kind) || --fault.calls_left > 0) return false;
      (fault.when == When::kBefore ? plan.before : plan.after) = fault.error;
      return true;
    });
    return plan;
  }

  template <typename Answer, typename Function>
  Answer Run(Call kind, const std::string& table, Function call) {
    Plan plan;
    std::function<Status(Call, const std::string&)> observer;
    {
      const std::lock_guard lock(mu_);
      plan = Enter(kind);
      observer = observer_;
    }
    if (observer) {
      if (Status status = observer(kind, table); !status.ok()) return status;
    }
    if (!plan.before.ok()) return plan.before;
    Answer answer = call();
    if (!plan.after.ok()) return plan.after;
    return answer;
  }

  Store* const behind_;

  mutable std::mutex mu_;  // guards the following
  Status always_;
  std::vector<Fault> faults_;
  std::function<Status(Call, const std::string&)> observer_;
  int counts_[11] = {};
};

}  // namespace fensi::store
