// A store on HBase itself, over HBase's own RPC.
//
// Any thread; calls block until HBase answered or the deadline of a call passed (kUnavailable, the outcome is unknown).
// Follows regions that move, split or are unavailable for some seconds; returns longer errors (RetryingStore). Opening
// does not connect. Families are not checked before: HBase names the row with an unknown family. Rows come without the
// tags of their cells, as from the other stores.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hbase/cluster.h"
#include "store/asked_columns.h"
#include "store/store.h"

namespace fensi::store {

class NativeStore final : public Store {
 public:
  explicit NativeStore(std::shared_ptr<hbase::Cluster> cluster) : NativeStore(std::move(cluster), {}) {}

  Result<std::vector<RejectedRow>> Put(const std::string& table, std::span<const RowMutation> rows) override;
  Result<std::vector<RejectedRow>> Delete(const std::string& table, std::span<const RowMutation> rows) override;
  Result<bool> CompareAndPut(const std::string& table, const ConditionalPut& change) override;
  Result<std::vector<Row>> Get(const std::string& table, std::span<const GetRequest> requests) override;
  Result<std::vector<Row>> GetSome(const std::string& table, std::span<const GetRequest> requests,
                                   size_t max_bytes) override;
  Result<std::vector<Row>> Scan(const std::string& table, const ScanRequest& request) override;
  Status CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) override;
  Result<std::optional<TableDescriptor>> DescribeTable(const std::string& table) override;
  Result<std::vector<std::string>> TableNames() override;
  Result<std::vector<std::string>> RegionStarts(const std::string& table) override;
  Result<std::vector<RegionBounds>> Regions(const std::string& table) override;
  Result<std::optional<std::vector<RegionSize>>> RegionSizes(const std::string& table) override;
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override;
  bool HasReplication() const override { return true; }
  Status CheckServer(const std::string& table) override;
  Result<std::optional<ClusterFacts>> DescribeCluster() override;
  Status DropTable(const std::string& table) override;
  std::unique_ptr<Store> Guarded(std::function<Status()> permission) override;
  std::vector<ServerCalls> Servers() const override;

 private:
  NativeStore(std::shared_ptr<hbase::Cluster> cluster, std::function<Status()> permission)
      : cluster_(std::move(cluster)), permission_(std::move(permission)) {}

  Result<std::vector<RejectedRow>> Write(const std::string& table, std::span<const RowMutation> rows, WriteKind kind);
  Result<std::vector<RejectedRow>> Judge(const std::string& table, std::span<const RowMutation> rows,
                                         std::span<const size_t> sent, WriteKind kind,
                                         const std::vector<hbase::Refusal>& refused);
  Result<std::vector<std::shared_ptr<const ReadPoint>>> ReadPointsOf(const std::string& table,
                                                                     std::span<const GetRequest> requests,
                                                                     std::span<const hbase::GetSpec> specs);
  Status ConfirmRefusal(const std::string& table, const RowMutation& row, WriteKind kind, const Status& why);
  Status RequireWritable(const std::string& table, const RowMutation& row, const Status& why);
  Result<std::vector<Row>> ScanRows(const std::string& table, const ScanRequest& request);
  Result<hbase::ScanPage> ScanBegun(const std::string& table, const ScanRequest& request, const AskedColumns& asked);
  /// The error if HBase lacks a family of the row, or of the columns.
  Status MissingFamily(const std::string& table, const RowMutation& row, const Status& fault);
  Status MissingFamily(const std::string& table, std::span<const GetRequest::Column> columns, const Status& fault);

  // Shared with views.
  const std::shared_ptr<hbase::Cluster> cluster_;
  const std::function<Status()> permission_;  // empty: granted
};

}  // namespace fensi::store
