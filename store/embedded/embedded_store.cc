#include "store/embedded/embedded_store.h"

#include <algorithm>
#include <mutex>
#include <numeric>

#include "base/bytes.h"
#include "store/check.h"
#include "store/embedded/open_database.h"
#include "store/embedded/row_reader.h"

namespace fensi::store {
namespace {

void AppendMutation(const EmbeddedTable& table, const RowMutation& mutation, rocksdb::WriteBatch* batch) {
  std::string key = RowPrefix(table.prefix, mutation.row);
  const size_t row_end = key.size();
  std::string value;
  for (const Cell& cell : mutation.cells) {
    key.resize(row_end);
    AppendCoordinates(cell, &key);
    EncodeValue(cell, &value);
    batch->Put(key, value);
  }
}

/// Indexes of rows in key order, equal rows as they came: neighbours share most of the way through RocksDB's tables.
template <typename Request>
std::vector<size_t> InKeyOrder(std::span<const Request> requests) {
  std::vector<size_t> order(requests.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return requests[a].row < requests[b].row; });
  return order;
}

/// Requests of a batch mostly ask alike.
bool SameReading(const GetRequest& a, const GetRequest& b) {
  return a.raw == b.raw && a.max_versions == b.max_versions && a.columns == b.columns;
}

}  // namespace

Result<std::unique_ptr<EmbeddedStore>> EmbeddedStore::Open(const EmbeddedOptions& options) {
  std::unique_ptr<rocksdb::Env> memory;
  if (options.in_memory) memory.reset(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<Database> database, OpenDatabase(options, memory.get()));
  std::unique_ptr<EmbeddedStore> store(new EmbeddedStore(std::move(memory), std::move(database), options.clock));
  FENSI_RETURN_IF_ERROR(store->catalog_.Load());
  return store;
}

EmbeddedStore::EmbeddedStore(std::unique_ptr<rocksdb::Env> memory, std::unique_ptr<Database> database, Clock* clock)
    : memory_(std::move(memory)), database_(std::move(database)), clock_(clock), catalog_(database_.get()) {}

EmbeddedStore::~EmbeddedStore() = default;

Result<std::vector<RejectedRow>> EmbeddedStore::Put(const std::string& table, std::span<const RowMutation> rows) {
  return Write(table, rows, WriteKind::kPut);
}

Result<std::vector<RejectedRow>> EmbeddedStore::Delete(const std::string& table, std::span<const RowMutation> rows) {
  return Write(table, rows, WriteKind::kDelete);
}

Result<std::vector<RejectedRow>> EmbeddedStore::Write(const std::string& name, std::span<const RowMutation> rows,
                                                      WriteKind kind) {
  const std::shared_lock lock(mu_);
  const auto table = catalog_.Find(name);
  if (!table.ok()) return table.status();
  std::vector<RejectedRow> rejected;
  rocksdb::WriteBatch batch;
  for (size_t i : InKeyOrder(rows)) {
    if (Status status = CheckMutation(name, rows[i], kind); !status.ok()) {
      rejected.push_back({i, std::move(status)});
    } else {
      FENSI_RETURN_IF_ERROR(CheckFamilies((*table)->description, rows[i]));
      AppendMutation(**table, rows[i], &batch);
    }
  }
  FENSI_RETURN_IF_ERROR(Commit(&batch, "writing to table " + name));
  std::sort(rejected.begin(), rejected.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  return rejected;
}

Result<bool> EmbeddedStore::CompareAndPut(const std::string& name, const ConditionalPut& change) {
  const std::unique_lock lock(mu_);
  const auto table = catalog_.Find(name);
  if (!table.ok()) return table.status();
  FENSI_RETURN_IF_ERROR(CheckMutation(name, change.put, WriteKind::kPut));
  FENSI_RETURN_IF_ERROR(CheckFamilies((*table)->description, change.put));
  const Result<ReadPlan> plan =
      PlanRead(**table, {{change.family, change.qualifier}}, /*raw=*/false, 1, clock_->WallMillis());
  if (!plan.ok()) return plan.status();
  RowReader reader(database_->rocks(), **table, RowReader::Access::kRows);
  std::vector<Cell> found;
  reader.ReadRow(change.put.row, *plan, &found);
  FENSI_RETURN_IF_ERROR(reader.status());
  if ((found.empty() ? "" : found.front().value) != change.expected) return false;
  rocksdb::WriteBatch batch;
  AppendMutation(**table, change.put, &batch);
  FENSI_RETURN_IF_ERROR(Commit(&batch, "writing to table " + name));
  return true;
}

Status EmbeddedStore::Commit(rocksdb::WriteBatch* batch, const std::string& doing) {
  {
    const MutexLock lock(failure_mu_);
    FENSI_RETURN_IF_ERROR(failure_);
  }
  const Status status = database_->Write(batch, doing);
  if (status.ok() || status.code() == StatusCode::kPermission) return status;
  const MutexLock lock(failure_mu_);
  if (failure_.ok()) failure_ = Status(StatusCode::kInternal, status.message());
  return failure_;
}

Result<size_t> EmbeddedStore::Read(const std::string& name, std::span<const GetRequest> requests,
                                   std::span<const size_t> order, size_t max_bytes, std::vector<Row>* rows) {
  const auto table = catalog_.Find(name);
  if (!table.ok()) return table.status();
  RowReader reader(database_->rocks(), **table, RowReader::Access::kRows);
  const int64_t now = clock_->WallMillis();
  rows->assign(requests.size(), {});
  ReadPlan plan;
  const GetRequest* planned = nullptr;
  size_t read = 0, bytes = 0;
  for (; read < order.size() && (bytes < max_bytes || read == 0); ++read) {
    const GetRequest& request = requests[order[read]];
    FENSI_RETURN_IF_ERROR(CheckGet(name, request));
    if (planned == nullptr || !SameReading(request, *planned)) {
      planned = &request;
      FENSI_ASSIGN_OR_RETURN(plan, PlanRead(**table, request.columns, request.raw, request.max_versions, now));
    }
    Row* row = &(*rows)[order[read]];
    row->row = request.row;
    reader.ReadRow(request.row, plan, &row->cells);
    FENSI_RETURN_IF_ERROR(reader.status());
    if (max_bytes != SIZE_MAX) bytes += HeldBytes(*row);
  }
  return read;
}

Result<std::vector<Row>> EmbeddedStore::Get(const std::string& name, std::span<const GetRequest> requests) {
  return GetSome(name, requests, SIZE_MAX);
}

Result<std::vector<Row>> EmbeddedStore::GetSome(const std::string& name, std::span<const GetRequest> requests,
                                                size_t max_bytes) {
  std::vector<Row> rows;
  std::vector<size_t> order = InKeyOrder(requests);
  Result<size_t> read = Read(name, requests, order, max_bytes, &rows);
  if (!read.ok()) return read.status();
  if (*read == requests.size()) return rows;
  // The order of keys is quicker, but not all fit: then the first ones.
  std::iota(order.begin(), order.end(), 0);
  read = Read(name, requests, order, max_bytes, &rows);
  if (!read.ok()) return read.status();
  rows.resize(*read);
  return rows;
}

Result<std::vector<Row>> EmbeddedStore::Scan(const std::string& name, const ScanRequest& request) {
  FENSI_RETURN_IF_ERROR(CheckScan(name, request));
  const auto table = catalog_.Find(name);
  if (!table.ok()) return table.status();
  FENSI_ASSIGN_OR_RETURN(ReadPlan plan,
                         PlanRead(**table, request.columns, request.raw, request.max_versions, clock_->WallMillis()));
  plan.keys_only = request.keys_only;
  plan.times = request.times;
  RowReader reader(database_->rocks(), **table, RowReader::Access::kRange);
  std::vector<Row> rows;
  Row row;
  size_t room = request.max_cells;
  reader.SeekRow(request.start_row);
  while (rows.size() < request.max_rows && room > 0 && reader.AtRow(request.stop_row, &row.row)) {
    const bool is_begun = request.behind && row.row == request.start_row;
    const bool whole = reader.ReadCurrentRow(plan, {is_begun ? &*request.behind : nullptr, room}, &row.cells);
    room -= std::min(room, row.cells.size());
    row.goes_on = !whole || (room == 0 && rows.size() + 1 < request.max_rows);
    if (!row.cells.empty()) rows.push_back(std::move(row));
    row = {};
  }
  FENSI_RETURN_IF_ERROR(reader.status());
  return rows;
}

Status EmbeddedStore::CreateTable(const TableDescriptor& table, const std::vector<std::string>& split_keys) {
  return catalog_.Create(table, split_keys);
}

Result<std::optional<TableDescriptor>> EmbeddedStore::DescribeTable(const std::string& name) {
  const auto table = catalog_.Find(name);
  if (!table.ok()) return std::optional<TableDescriptor>();
  return std::optional<TableDescriptor>((*table)->description);
}

Result<std::vector<std::string>> EmbeddedStore::TableNames() { return catalog_.Names(); }

Result<std::vector<std::string>> EmbeddedStore::RegionStarts(const std::string& name) {
  const auto table = catalog_.Find(name);
  if (!table.ok()) return table.status();
  std::vector<std::string> starts = {""};
  starts.insert(starts.end(), (*table)->split_keys.begin(), (*table)->split_keys.end());
  return starts;
}

/// A number is never given out again.
Result<std::optional<TableIdentity>> EmbeddedStore::IdentityOf(const std::string& name) {
  const auto table = catalog_.Find(name);
  if (!table.ok()) return table.status();
  const int64_t number = (*table)->number;
  return std::optional(TableIdentity{number, number});
}

Status EmbeddedStore::DropTable(const std::string& name) {
  const std::unique_lock lock(mu_);
  return catalog_.Drop(name);
}

Status EmbeddedStore::MajorCompact(const std::string& name) {
  constexpr uint32_t kKeysPerWrite = 10'000;
  const std::unique_lock lock(mu_);
  const auto table = catalog_.Find(name);
  if (!table.ok()) return table.status();
  RowReader reader(database_->rocks(), **table, RowReader::Access::kRange);
  const int64_t now = clock_->WallMillis();
  rocksdb::WriteBatch batch;
  uint64_t dropped = 0;
  std::string row;
  reader.SeekRow("");
  while (reader.AtRow("", &row)) {
    // A marker and what it hides go together, also for a reader and after a crash: rows are never split over writes.
    reader.CompactCurrentRow(now, [&](std::string_view key) { batch.Delete(rocksdb::Slice(key.data(), key.size())); });
    if (batch.Count() < kKeysPerWrite) continue;
    dropped += batch.Count();
    FENSI_RETURN_IF_ERROR(Commit(&batch, "compacting table " + name));
    batch.Clear();
  }
  FENSI_RETURN_IF_ERROR(reader.status());
  FENSI_RETURN_IF_ERROR(Commit(&batch, "compacting table " + name));
  // Few keys are not worth rewriting the files: RocksDB frees their space in its own time.
  if (dropped + batch.Count() < kKeysPerWrite) return {};
  const std::string end = PrefixEnd((*table)->prefix);
  const rocksdb::Slice begin_key((*table)->prefix);
  const rocksdb::Slice end_key(end);
  return FromRocksDb(database_->rocks()->CompactRange({}, &begin_key, &end_key), "compacting table " + name);
}

}  // namespace fensi::store
