// A real HBase as the place of one history, on tables that no other history has. They are dropped at its end.
#pragma once

#include <memory>
#include <string>

#include "store/wrapped_store.h"
#include "tests/indexer/model/model_server.h"
#include "tests/store/contract/stack_admin.h"

namespace fensi::testing {

/// Every table's name gets a prefix, and no other table is there. As thread-safe as the store behind.
class PrefixedTables final : public store::DelegatingStore {
 public:
  PrefixedTables(store::Store* behind, std::string prefix) : DelegatingStore(behind), prefix_(std::move(prefix)) {}

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override {
    return behind()->Put(prefix_ + table, rows);
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override {
    return behind()->Delete(prefix_ + table, rows);
  }
  Result<bool> CompareAndPut(const std::string& table, const store::ConditionalPut& change) override {
    return behind()->CompareAndPut(prefix_ + table, change);
  }
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override {
    return behind()->Get(prefix_ + table, requests);
  }
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> requests,
                                          size_t max_bytes) override {
    return behind()->GetSome(prefix_ + table, requests, max_bytes);
  }
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    return behind()->Scan(prefix_ + table, request);
  }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return behind()->RegionStarts(prefix_ + table);
  }
  Result<std::optional<store::TableIdentity>> IdentityOf(const std::string& table) override {
    return behind()->IdentityOf(prefix_ + table);
  }
  Status CheckServer(const std::string& table) override { return behind()->CheckServer(prefix_ + table); }
  Status DropTable(const std::string& table) override { return behind()->DropTable(prefix_ + table); }
  Status CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) override;
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override;
  Result<std::vector<std::string>> TableNames() override;

 private:
  const std::string prefix_;
};

class HBaseServer final : public ModelServer {
 public:
  /// `clock`: a FakeClock, or the machine's, which TTLs need. Both are borrowed. `admin` is its address.
  HBaseServer(store::Store* hbase, const std::string& admin, const std::string& prefix, Clock* clock)
      : tables_(hbase, prefix), admin_(admin), prefix_(prefix), clock_(clock) {}
  ~HBaseServer() override;

  Clock* clock() override { return clock_; }
  store::Store* store() override { return &tables_; }
  void PassTo(int64_t time) override;
  void SetKeepDeleted(const std::string& table, KeepDeleted keep) override;
  /// Delete markers go by HBase's own clock, so `purge` follows from the time at which the history begins.
  void MajorCompact(const std::string& table, bool purge) override;

 private:
  PrefixedTables tables_;
  const store::StackAdmin admin_;
  const std::string prefix_;
  Clock* const clock_;
};

}  // namespace fensi::testing
