#include "store/hbase/hbase_store.h"

#include <algorithm>
#include <iterator>

#include "store/asked_columns.h"
#include "store/check.h"
#include "store/hbase/calls/call_sequences.h"
#include "store/hbase/calls/range_scanner.h"
#include "store/hbase/calls/row_writer.h"
#include "store/hbase/calls/server_check.h"
#include "store/hbase/calls/table_identity.h"

namespace fensi::store {
namespace {

constexpr int kMostConnections = 64;
constexpr size_t kFewestGets = 100;  // of one call

GatewayOptions Gateway(const HBaseOptions& options) {
  GatewayOptions gateway{options.host,         options.port,         options.connect_timeout,
                         options.call_timeout, options.first_answer, options.layers};
  if (options.counts != nullptr) gateway.counts = options.counts;
  gateway.clock = options.clock;
  return gateway;
}

/// HBase refused every row of a call, and did not say what is wrong with them.
bool BlamesAll(const std::vector<Refusal>& refusals, size_t sent) {
  const bool unnamed =
      std::any_of(refusals.begin(), refusals.end(), [](const Refusal& refusal) { return !refusal.named; });
  return unnamed && sent > 1 && refusals.size() == sent;
}

/// Maximum for one call. With rows of unknown width, more would leave each too small a share of its cells.
size_t MostGets(std::span<const GetRequest> requests, const ReadLimits& limits, const CallSizer& pace) {
  const auto knows_width = [](const GetRequest& request) {
    const auto whole = [](const GetRequest::Column& column) { return !column.qualifier; };
    const bool named = !request.columns.empty() && std::none_of(request.columns.begin(), request.columns.end(), whole);
    return named && !request.raw && request.max_versions == 1;
  };
  const size_t usual = CallPaces::kFewestGets;
  if (!std::all_of(requests.begin(), requests.end(), knows_width)) return usual;
  size_t widest = 0;
  for (const GetRequest& request : requests) widest = std::max(widest, request.columns.size());
  return std::max(usual, std::min(pace.units(), limits.cells / (widest + 1)));
}

}  // namespace

Result<std::unique_ptr<HBaseStore>> HBaseStore::Open(const HBaseOptions& options) {
  if (options.connections < 1 || options.connections > kMostConnections) {
    return Status(StatusCode::kInvalidArgument, "--connections must be 1 to " + std::to_string(kMostConnections) +
                                                    ", not " + std::to_string(options.connections));
  }
  if (options.connect_timeout.count() < 1 || options.call_timeout.count() < 1) {
    return Status(StatusCode::kInvalidArgument, "the timeouts of a store must be at least 1 ms");
  }
  auto pool = std::make_shared<ConnectionPool>(Gateway(options), options.connections);
  auto paces = std::make_shared<CallPaces>(options.clock);
  return std::unique_ptr<HBaseStore>(new HBaseStore(options.read_limits, pool, std::move(paces), TableAdmin(pool), {}));
}

HBaseStore::HBaseStore(const ReadLimits& limits, std::shared_ptr<ConnectionPool> pool, std::shared_ptr<CallPaces> paces,
                       TableAdmin admin, std::function<Status()> permission)
    : limits_(limits),
      pool_(std::move(pool)),
      paces_(std::move(paces)),
      admin_(std::move(admin)),
      permission_(std::move(permission)) {}

std::unique_ptr<Store> HBaseStore::Guarded(std::function<Status()> permission) {
  return std::unique_ptr<HBaseStore>(new HBaseStore(limits_, pool_, paces_, admin_.Guarded(permission), permission));
}

Result<std::vector<RejectedRow>> HBaseStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Write(table, rows, WriteKind::kPut);
}

Result<std::vector<RejectedRow>> HBaseStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Write(table, rows, WriteKind::kDelete);
}

Result<std::vector<RejectedRow>> HBaseStore::Write(const std::string& table, std::span<const RowMutation> rows,
                                                   WriteKind kind) {
  std::vector<size_t> good;
  std::vector<RejectedRow> rejected;
  FENSI_RETURN_IF_ERROR(Sort(table, rows, kind, &good, &rejected));
  Result<std::vector<Refusal>> refused = Send(table, rows, good, kind);
  if (!refused.ok()) return MissingFamily(table, rows, refused.status());
  if (BlamesAll(*refused, good.size())) {
    return Status(StatusCode::kUnavailable,
                  "the gateway refused all " + std::to_string(good.size()) + " rows of a batch for table " + table +
                      " and did not say which row is at fault. If this continues, read the gateway's log. First row: " +
                      refused->front().row.reason.words());
  }
  for (Refusal& refusal : *refused) rejected.push_back(std::move(refusal.row));
  std::sort(rejected.begin(), rejected.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  return rejected;
}

Result<std::vector<Refusal>> HBaseStore::Send(const std::string& table, std::span<const RowMutation> rows,
                                              const std::vector<size_t>& indexes, WriteKind kind) {
  CallSizer& pace = paces_->Of(table, kind == WriteKind::kPut ? CallPaces::Kind::kPut : CallPaces::Kind::kDelete);
  const std::vector<CallSequence> sequences = CutIntoSequences(rows, indexes, pool_->size(), {.cells = pace.units()});
  std::vector<std::vector<Refusal>> refused_of(sequences.size());
  std::vector<ConnectionPool::Task> tasks;
  for (size_t i = 0; i < sequences.size(); ++i) {
    tasks.push_back([&, i](Connection& connection) {
      Result<std::vector<Refusal>> sent =
          RowWriter(connection, table, rows, kind, permission_, &pace).Send(sequences[i]);
      if (sent.ok()) refused_of[i] = std::move(*sent);
      return sent.status();
    });
  }
  const Status status = pool_->RunAll(std::move(tasks), permission_);
  if (status.code() == StatusCode::kNotFound) admin_.Forget(table);
  FENSI_RETURN_IF_ERROR(status);
  std::vector<Refusal> refused;
  for (std::vector<Refusal>& some : refused_of) std::move(some.begin(), some.end(), std::back_inserter(refused));
  return refused;
}

Result<bool> HBaseStore::CompareAndPut(const std::string& table, const ConditionalPut& change) {
  const std::span<const RowMutation> rows(&change.put, 1);
  const GetRequest::Column compared{change.family, change.qualifier};
  std::vector<size_t> good;
  std::vector<RejectedRow> rejected;
  FENSI_RETURN_IF_ERROR(Sort(table, rows, WriteKind::kPut, &good, &rejected));
  if (!rejected.empty()) return rejected.front().reason;
  FENSI_RETURN_IF_ERROR(CheckColumns(table, {&compared, 1}));
  bool done = false;
  Outcome outcome;
  const auto compare = [&](Connection& connection) {
    outcome = CompareAndPutOn(connection, table, change, &done);
    return outcome.status;
  };
  const Status status = pool_->Run(compare, permission_);
  if (status.ok()) return done;
  if (status.code() == StatusCode::kNotFound) admin_.Forget(table);
  return outcome.suspect == Suspect::kFamily ? MissingFamily(table, rows, status) : status;
}

/// HBase lacks a family that the table had when it was last described.
Status HBaseStore::MissingFamily(const std::string& table, std::span<const RowMutation> rows, const Status& fault) {
  if (fault.code() != StatusCode::kRejected) return fault;
  const auto known = admin_.Known(table, /*fresh=*/true);
  if (!known.ok()) return known.status();
  for (const RowMutation& row : rows) FENSI_RETURN_IF_ERROR(CheckFamilies(**known, row));
  return fault.As(StatusCode::kUnavailable);  // it came back
}

Status HBaseStore::Sort(const std::string& table, std::span<const RowMutation> rows, WriteKind kind,
                        std::vector<size_t>* good, std::vector<RejectedRow>* rejected) {
  auto known = admin_.Known(table);
  if (!known.ok()) return known.status();
  bool fresh = false;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (Status status = CheckMutation(table, rows[i], kind); !status.ok()) {
      rejected->push_back({i, std::move(status)});
      continue;
    }
    good->push_back(i);
    if (!fresh && !CheckFamilies(**known, rows[i]).ok()) {
      fresh = true;  // the family may be a new one
      known = admin_.Known(table, fresh);
      if (!known.ok()) return known.status();
    }
    FENSI_RETURN_IF_ERROR(CheckFamilies(**known, rows[i]));
  }
  return Status();
}

Status HBaseStore::CheckColumns(const std::string& table, std::span<const GetRequest::Column> columns, bool fresh) {
  const auto known = admin_.Known(table, fresh);
  if (!known.ok()) return known.status();
  const Status status = CheckFamilies(**known, columns);
  return status.ok() || fresh ? status : CheckColumns(table, columns, true);
}

/// The meaning of a failed read.
Status HBaseStore::ReadFault(const std::string& table, std::span<const GetRequest::Column> columns,
                             const Status& fault) {
  if (fault.code() == StatusCode::kNotFound) admin_.Forget(table);
  if (fault.code() != StatusCode::kRejected) return fault;
  FENSI_RETURN_IF_ERROR(CheckColumns(table, columns, /*fresh=*/true));
  return fault.As(StatusCode::kUnavailable);
}

Result<std::vector<Row>> HBaseStore::Get(const std::string& table, std::span<const GetRequest> requests) {
  return GetSome(table, requests, SIZE_MAX);
}

Result<std::vector<Row>> HBaseStore::GetSome(const std::string& table, std::span<const GetRequest> requests,
                                             size_t max_bytes) {
  for (const GetRequest& request : requests) FENSI_RETURN_IF_ERROR(CheckGet(table, request));
  const std::vector<GetRequest::Column> columns = FirstOfFamilies(requests);
  FENSI_RETURN_IF_ERROR(CheckColumns(table, columns));
  std::vector<Row> answers(requests.size());
  ReadBudget budget(max_bytes);
  CallSizer& pace = paces_->Of(table, CallPaces::Kind::kGet);
  const size_t share = ShareOf(requests.size(), pool_->size(), kFewestGets, MostGets(requests, limits_, pace));
  std::vector<ConnectionPool::Task> tasks;
  for (size_t begin = 0; begin < requests.size(); begin += share) {
    const auto some = requests.subspan(begin, std::min(share, requests.size() - begin));
    tasks.push_back(
        [this, &table, &budget, &pace, some, begin, target = answers.data() + begin](Connection& connection) {
          RowGetter getter(connection, table, limits_, &budget, &pace);
          const Status status = getter.Read(some, begin == 0 ? 1 : 0, target);
          if (getter.answered() < some.size()) budget.EndsAt(begin + getter.answered());
          return status;
        });
  }
  const Status status = pool_->RunAll(std::move(tasks), permission_);
  if (!status.ok()) return ReadFault(table, columns, status);
  answers.resize(std::min(answers.size(), budget.end()));
  return answers;
}

Result<std::vector<Row>> HBaseStore::Scan(const std::string& table, const ScanRequest& request) {
  FENSI_RETURN_IF_ERROR(CheckScan(table, request));
  FENSI_RETURN_IF_ERROR(CheckColumns(table, request.columns));
  std::vector<Row> rows;
  const auto scan = [&](Connection& connection) {
    return RangeScanner(connection, table, request, limits_).Read(&rows);
  };
  const Status status = pool_->Run(scan, permission_);
  if (!status.ok()) return ReadFault(table, request.columns, status);
  return rows;
}

Status HBaseStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  return admin_.Create(table, split_keys);
}

Result<std::optional<TableDescriptor>> HBaseStore::DescribeTable(const std::string& table) {
  return admin_.Describe(table);
}

Result<std::vector<std::string>> HBaseStore::TableNames() { return admin_.Names(); }

Result<std::vector<std::string>> HBaseStore::RegionStarts(const std::string& table) {
  return admin_.RegionStarts(table);
}

Result<std::optional<TableIdentity>> HBaseStore::IdentityOf(const std::string& table) {
  std::optional<TableIdentity> identity;
  const auto ask = [&](Connection& connection) -> Status {
    FENSI_ASSIGN_OR_RETURN(identity, IdentityOn(connection, table, limits_));
    return {};
  };
  FENSI_RETURN_IF_ERROR(pool_->Run(ask, permission_));
  return identity;
}

Status HBaseStore::CheckServer(const std::string& table) {
  const auto known = admin_.Known(table);
  if (!known.ok()) return known.status();
  const std::string family = (*known)->families.at(0).name;  // HBase makes no table without one
  return pool_->Run([&](Connection& connection) { return store::CheckServer(connection, table, family); }, permission_);
}

Status HBaseStore::DropTable(const std::string& table) { return admin_.Drop(table); }

}  // namespace fensi::store
