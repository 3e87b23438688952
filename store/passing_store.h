// A store that hands every call on to the one behind it: who derives from it overrides what is to be otherwise.
//
// As thread-safe as the store behind. Its Guarded is any store's: the permission is asked before a call of this one,
// not where the requests are sent. That is enough for tests and for views; what stands before a server is a
// ForwardingStore.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace fensi::store {

class PassingStore : public Store {
 public:
  /// Does not own `behind`, which must outlive it.
  explicit PassingStore(Store* behind) : behind_(behind) {}
  /// Keeps it alive.
  explicit PassingStore(std::shared_ptr<Store> behind) : owned_(std::move(behind)), behind_(owned_.get()) {}

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
  Result<std::vector<std::string>> TableNames() override { return behind_->TableNames(); }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return behind_->RegionStarts(table);
  }
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override {
    return behind_->IdentityOf(table);
  }
  bool HasReplication() const override { return behind_->HasReplication(); }
  Status CheckServer(const std::string& table) override { return behind_->CheckServer(table); }
  Status DropTable(const std::string& table) override { return behind_->DropTable(table); }

 protected:
  Store* behind() const { return behind_; }

 private:
  const std::shared_ptr<Store> owned_;
  Store* const behind_;
};

}  // namespace fensi::store
