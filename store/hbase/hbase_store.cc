#include "store/hbase/hbase_store.h"

#include <algorithm>

#include "THBaseService.h"
#include "store/check.h"
#include "store/hbase/batches.h"
#include "store/hbase/conversions.h"
#include "store/hbase/probe.h"
#include "store/hbase/row_writer.h"

namespace fensi::store {
namespace {

constexpr int kMostConnections = 64;
constexpr size_t kFewestGets = 100;  // of one call
constexpr size_t kMostGets = 500;

GatewayOptions Gateway(const HBaseOptions& options) {
  return {options.host, options.port, options.connect_timeout, options.call_timeout, options.clock};
}

/// A read whose arguments were checked and that breaks inside the gateway: the gateway's trouble, not the reader's.
Status ReadFault(Connection& connection, const std::string& table, const Status& fault) {
  if (fault.code() != StatusCode::kInternal) return ExplainFault(connection, table, fault);
  return ExplainFault(connection, table, Status(StatusCode::kUnavailable, fault.message()));
}

Status CallGet(Connection& connection, const std::string& table, const std::vector<thrift2::TGet>& gets,
               std::vector<thrift2::TResult>* results) {
  return connection.Call("get of " + std::to_string(gets.size()) + " rows from table " + table,
                         [&](thrift2::THBaseServiceClient& client) { client.getMultiple(*results, table, gets); });
}

/// Makes the gateway find the regions of rows that are too long for it. False: there are none.
bool FindLongRows(Connection& connection, const std::string& table, std::span<const GetRequest> requests) {
  bool found = false;
  for (const GetRequest& request : requests) {
    if (!MayBeTooLongToFind(table, request.row)) continue;
    found = ProbeRow(connection, table, request.row).ok() || found;
  }
  return found;
}

Status GetSome(Connection& connection, const std::string& table, std::span<const GetRequest> requests, Row* answers) {
  std::vector<thrift2::TGet> gets;
  gets.reserve(requests.size());
  for (const GetRequest& request : requests) gets.push_back(ToGet(request));
  std::vector<thrift2::TResult> results;
  Status status = CallGet(connection, table, gets, &results);
  const bool refused = status.code() == StatusCode::kInternal || status.code() == StatusCode::kRejected;
  if (refused && FindLongRows(connection, table, requests)) {
    status = CallGet(connection, table, gets, &results);
  }
  if (!status.ok()) return ReadFault(connection, table, status);
  if (results.size() != requests.size()) {
    return Status(StatusCode::kUnavailable, "get from table " + table + ": the gateway answered " +
                                                std::to_string(results.size()) + " of " +
                                                std::to_string(requests.size()) + " rows");
  }
  for (size_t i = 0; i < results.size(); ++i) {
    answers[i] = {requests[i].row, ToCells(std::move(results[i].columnValues))};
  }
  return Status();
}

}  // namespace

Result<std::unique_ptr<HBaseStore>> HBaseStore::Open(const HBaseOptions& options) {
  if (options.connections < 1 || options.connections > kMostConnections) {
    return Status(StatusCode::kInvalidArgument, "the number of connections must be 1 to " +
                                                    std::to_string(kMostConnections) + ", not " +
                                                    std::to_string(options.connections));
  }
  if (options.connect_timeout.count() < 1 || options.call_timeout.count() < 1) {
    return Status(StatusCode::kInvalidArgument, "the timeouts of a store must be at least 1 ms");
  }
  auto pool = std::make_shared<ConnectionPool>(Gateway(options), options.connections);
  auto admin = std::make_shared<TableAdmin>(pool.get());
  return std::unique_ptr<HBaseStore>(new HBaseStore(std::move(pool), std::move(admin), {}));
}

HBaseStore::HBaseStore(std::shared_ptr<ConnectionPool> pool, std::shared_ptr<TableAdmin> admin,
                       std::function<Status()> permission)
    : pool_(std::move(pool)), admin_(std::move(admin)), permission_(std::move(permission)) {}

std::unique_ptr<Store> HBaseStore::Asking(std::function<Status()> permission) {
  return std::unique_ptr<HBaseStore>(new HBaseStore(pool_, admin_, std::move(permission)));
}

Result<std::vector<RejectedRow>> HBaseStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Write(table, rows, /*deletes=*/false);
}

Result<std::vector<RejectedRow>> HBaseStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Write(table, rows, /*deletes=*/true);
}

Result<std::vector<RejectedRow>> HBaseStore::Write(const std::string& table, std::span<const RowMutation> rows,
                                                   bool deletes) {
  std::vector<size_t> good;
  std::vector<RejectedRow> rejected;
  FENSI_RETURN_IF_ERROR(Sort(table, rows, deletes, &good, &rejected));
  const std::vector<Lane> lanes = CutIntoLanes(rows, good, pool_->size());
  std::vector<std::vector<RejectedRow>> rejected_of(lanes.size());
  std::vector<ConnectionPool::Task> tasks;
  for (size_t i = 0; i < lanes.size(); ++i) {
    tasks.push_back([&, i](Connection& connection) {
      Result<std::vector<RejectedRow>> sent = RowWriter(connection, table, rows, deletes, permission_).Send(lanes[i]);
      if (sent.ok()) rejected_of[i] = std::move(*sent);
      return sent.status();
    });
  }
  const Status status = pool_->RunAll(std::move(tasks));  // the writers ask for permission before each request
  for (std::vector<RejectedRow>& some : rejected_of) {
    if (!some.empty()) admin_->Forget(table);  // it may have changed
    rejected.insert(rejected.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
  }
  if (status.code() == StatusCode::kNotFound) admin_->Forget(table);
  FENSI_RETURN_IF_ERROR(status);
  std::sort(rejected.begin(), rejected.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  return rejected;
}

Status HBaseStore::Sort(const std::string& table, std::span<const RowMutation> rows, bool deletes,
                        std::vector<size_t>* good, std::vector<RejectedRow>* rejected) {
  auto known = admin_->Known(table);
  if (!known.ok()) return known.status();
  bool fresh = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    Status status = CheckMutation(table, rows[i], deletes);
    if (status.ok()) status = CheckFamilies(**known, rows[i]);
    if (!status.ok() && !fresh && CheckMutation(table, rows[i], deletes).ok()) {
      fresh = true;  // the family may be a new one
      known = admin_->Known(table, fresh);
      if (!known.ok()) return known.status();
      status = CheckFamilies(**known, rows[i]);
    }
    if (status.ok()) {
      good->push_back(i);
    } else {
      rejected->push_back({i, std::move(status)});
    }
  }
  return Status();
}

Status HBaseStore::CheckColumns(const std::string& table, std::span<const GetRequest::Column> columns) {
  auto known = admin_->Known(table);
  if (!known.ok()) return known.status();
  if (CheckFamilies(**known, columns).ok()) return Status();
  known = admin_->Known(table, /*fresh=*/true);
  return known.ok() ? CheckFamilies(**known, columns) : known.status();
}

Result<std::vector<Row>> HBaseStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  for (size_t i = 0; i < requests.size(); ++i) {
    FENSI_RETURN_IF_ERROR(CheckGet(table, requests[i]));
    if (i > 0 && requests[i].columns == requests[i - 1].columns) continue;
    FENSI_RETURN_IF_ERROR(CheckColumns(table, requests[i].columns));
  }
  std::vector<Row> answers(requests.size());
  const size_t share = ShareOf(requests.size(), pool_->size(), kFewestGets, kMostGets);
  std::vector<ConnectionPool::Task> tasks;
  for (size_t begin = 0; begin < requests.size(); begin += share) {
    const auto some = requests.subspan(begin, std::min(share, requests.size() - begin));
    tasks.push_back([&table, some, target = answers.data() + begin](Connection& connection) {
      return GetSome(connection, table, some, target);
    });
  }
  const Status status = pool_->RunAll(std::move(tasks), permission_);
  if (!status.ok()) admin_->Forget(table);
  FENSI_RETURN_IF_ERROR(status);
  return answers;
}

Result<std::vector<Row>> HBaseStore::Scan(const std::string& table, const ScanRequest& request) {
  FENSI_RETURN_IF_ERROR(CheckScan(table, request));
  FENSI_RETURN_IF_ERROR(CheckColumns(table, request.columns));
  const thrift2::TScan scan = ToScan(request);
  std::vector<thrift2::TResult> results;
  const Status status = pool_->Run([&](Connection& connection) {
    const Status answered = connection.Call("scan of table " + table, [&](thrift2::THBaseServiceClient& client) {
      client.getScannerResults(results, table, scan, scan.limit);
    });
    return ReadFault(connection, table, answered);
  });
  if (!status.ok()) admin_->Forget(table);
  FENSI_RETURN_IF_ERROR(status);
  std::vector<Row> rows;
  rows.reserve(results.size());
  for (thrift2::TResult& result : results) {
    rows.push_back({std::move(result.row), ToCells(std::move(result.columnValues))});
  }
  return rows;
}

Status HBaseStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  return admin_->Create(table, split_keys);
}

Result<std::optional<TableDescriptor>> HBaseStore::DescribeTable(const std::string& table) {
  return admin_->Describe(table);
}

Result<std::vector<std::string>> HBaseStore::RegionStarts(const std::string& table) {
  return admin_->RegionStarts(table);
}

Status HBaseStore::DropTable(const std::string& table) { return admin_->Drop(table); }

}  // namespace fensi::store
