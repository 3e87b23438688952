// A store on HBase through a Thrift2 gateway.
//
// Any thread; calls block until HBase answered or the deadline of a call passed (kUnavailable, the outcome is unknown;
// nothing is repeated here: see RetryingStore). Large batches are divided among the connections, in calls of a size
// that suits the table (calls/call_sizer.h). Opening does not connect. Mutations are checked before they are sent, also
// against the families of the table as last read; a table whose regions do not answer (disabled, in transition) is
// kUnavailable. Rows with several kinds of delete markers cost a call each: only that is atomic.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "store/hbase/calls/call_sizer.h"
#include "store/hbase/calls/row_getter.h"
#include "store/hbase/calls/row_writer.h"
#include "store/hbase/calls/table_admin.h"
#include "store/hbase/wire/connection.h"
#include "store/store.h"

namespace fensi::store {

struct HBaseOptions {
  std::string host;
  int port = 9090;
  int connections = 4;
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds call_timeout{60'000};
  std::optional<std::chrono::milliseconds> first_answer;  // open_store.h
  GatewayLayers layers;
  std::shared_ptr<ConnectionCounts> counts;  // open_store.h
  ReadLimits read_limits;
  Clock* clock = SystemClock();  // must outlive the store
};

class HBaseStore final : public Store {
 public:
  /// kInvalidArgument for options out of range.
  static Result<std::unique_ptr<HBaseStore>> Open(const HBaseOptions& options);

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
  Result<std::vector<RegionBounds>> Regions(const std::string& table) override { return admin_.Regions(table); }
  Result<std::optional<TableIdentity>> IdentityOf(const std::string& table) override;
  bool HasReplication() const override { return true; }
  Status CheckServer(const std::string& table) override;
  Status DropTable(const std::string& table) override;
  std::unique_ptr<Store> Guarded(std::function<Status()> permission) override;

 private:
  HBaseStore(const ReadLimits& limits, std::shared_ptr<ConnectionPool> pool, std::shared_ptr<CallPaces> paces,
             TableAdmin admin, std::function<Status()> permission);

  Result<std::vector<RejectedRow>> Write(const std::string& table, std::span<const RowMutation> rows, WriteKind kind);
  /// Splits rows into those to send and those that HBase would reject.
  Status Sort(const std::string& table, std::span<const RowMutation> rows, WriteKind kind, std::vector<size_t>* good,
              std::vector<RejectedRow>* rejected);
  Result<std::vector<Refusal>> Send(const std::string& table, std::span<const RowMutation> rows,
                                    const std::vector<size_t>& indexes, WriteKind kind);
  Status MissingFamily(const std::string& table, std::span<const RowMutation> rows, const Status& fault);
  Status CheckColumns(const std::string& table, std::span<const GetRequest::Column> columns, bool fresh = false);
  Status ReadFault(const std::string& table, std::span<const GetRequest::Column> columns, const Status& fault);

  // Shared with views, immutable; they synchronise themselves.
  const ReadLimits limits_;
  const std::shared_ptr<ConnectionPool> pool_;
  const std::shared_ptr<CallPaces> paces_;
  TableAdmin admin_;
  const std::function<Status()> permission_;  // empty: granted
};

}  // namespace fensi::store
