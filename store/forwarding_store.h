// A store that hands every call on to the one behind it: what wrappers begin with, who override what they change.
//
// As thread-safe as the store behind.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace fensi::store {

class ForwardingStore : public Store {
 public:
  /// Does not own `behind`, which must outlive it.
  explicit ForwardingStore(Store* behind) : behind_(behind) {}
  /// Keeps it alive.
  explicit ForwardingStore(std::shared_ptr<Store> behind) : owned_(std::move(behind)), behind_(owned_.get()) {}

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    return behind_->Put(table, rows);
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    return behind_->Delete(table, rows);
  }
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    return behind_->CompareAndPut(table, change);
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    return behind_->Get(table, requests);
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    return behind_->GetSome(table, requests, max_bytes);
  }
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override {
    return behind_->Scan(table, request);
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return behind_->CreateTable(table, split_keys);
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    return behind_->DescribeTable(table);
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return behind_->RegionStarts(table);
  }
  Status DropTable(const std::string& table) override { return behind_->DropTable(table); }

  /// A wrapper cannot lose the permission on its way: it is asked where the requests are sent.
  std::unique_ptr<Store> Guarded(std::function<Status()> permission) final {
    return Over(behind_->Guarded(std::move(permission)));
  }

 protected:
  /// The same wrapper, sharing what it knows, over another view of the store behind.
  virtual std::unique_ptr<Store> Over(std::unique_ptr<Store> behind) = 0;
  Store* behind() const { return behind_; }

 private:
  const std::shared_ptr<Store> owned_;
  Store* const behind_;
};

}  // namespace fensi::store
