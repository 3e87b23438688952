// Reads and writes some tables in another store: those of a source cluster, while all other tables are in the index's
// cluster.
//
// A call with a table goes to the store that has the table. A call without a table goes to the index's store, except
// for HasReplication, which is about changes of source tables, and Servers, which lists the servers of both. A
// permission is checked in both stores. Thread-safe if both stores are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace fensi::store {

/// Tables in another store than the rest.
struct SourcePlace {
  std::string url;  // for messages
  std::set<std::string> tables;
};

class RoutingStore final : public Store {
 public:
  /// Shares the ownership of both stores.
  RoutingStore(std::shared_ptr<Store> index, std::shared_ptr<Store> source, SourcePlace place)
      : index_(std::move(index)), source_(std::move(source)), place_(std::move(place)) {}

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override {
    return Of(table).Put(table, rows);
  }
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override {
    return Of(table).Delete(table, rows);
  }
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override {
    return Of(table).CompareAndPut(table, change);
  }
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override {
    return Of(table).Get(table, requests);
  }
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override {
    return Of(table).GetSome(table, requests, max_bytes);
  }
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override {
    return Of(table).Scan(table, request);
  }
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override {
    return Of(table.name).CreateTable(table, split_keys);
  }
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override {
    return Of(table).DescribeTable(table);
  }
  bool HasReplication() const override { return source_->HasReplication(); }
  std::string OtherPlaceOf(const std::string& table) const override {
    return place_.tables.contains(table) ? place_.url : "";
  }
  Result<std::vector<std::string>> TableNames() override { return index_->TableNames(); }
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override {
    return Of(table).RegionStarts(table);
  }
  Result<std::vector<RegionBounds>> Regions(const std::string& table) override { return Of(table).Regions(table); }
  Result<std::optional<std::vector<RegionSize>>> RegionSizes(const std::string& table) override {
    return Of(table).RegionSizes(table);
  }
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override {
    return Of(table).IdentityOf(table);
  }
  Status CheckServer(const std::string& table) override { return Of(table).CheckServer(table); }
  Result<std::optional<ClusterFacts>> DescribeCluster() override { return index_->DescribeCluster(); }
  Status DropTable(const std::string& table) override { return Of(table).DropTable(table); }

  /// M11: each of the two stores checks the permission before its own requests.
  std::unique_ptr<Store> Guarded(std::function<Status()> permission) override;
  std::vector<ServerCalls> Servers() const override;

 private:
  Store& Of(const std::string& table) const { return place_.tables.contains(table) ? *source_ : *index_; }

  const std::shared_ptr<Store> index_, source_;
  const SourcePlace place_;
};

}  // namespace fensi::store
