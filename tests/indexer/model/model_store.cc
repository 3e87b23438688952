#include "tests/indexer/model/model_store.h"

#include <algorithm>
#include <cstdlib>

#include "base/hbase_limits.h"
#include "store/check.h"

namespace fensi::testing {
namespace {

constexpr char kPurgeDelay[] = "hbase.hstore.time.to.purge.deletes";

std::map<std::string, FamilyTraits> TraitsOf(const store::TableDescriptor& table, KeepDeleted keep) {
  std::map<std::string, FamilyTraits> all;
  for (const store::FamilyDescriptor& family : table.families) {
    FamilyTraits traits{.max_versions = family.max_versions, .min_versions = family.min_versions.value_or(0)};
    if (family.ttl_seconds) traits.ttl_millis = int64_t{1000} * *family.ttl_seconds;
    traits.keep_deleted = keep;
    const auto delay = family.configuration.find(kPurgeDelay);
    if (delay != family.configuration.end()) traits.purge_delay_millis = std::atoll(delay->second.c_str());
    all[family.name] = traits;
  }
  return all;
}

bool InOrder(const Cell& a, const Cell& b) { return std::tie(a.family, a.qualifier) < std::tie(b.family, b.qualifier); }

std::vector<Cell> CellsOf(const HbaseTable& table, const HbaseTable::Row& row,
                          const std::vector<store::GetRequest::Column>& columns, const HbaseTable::Reading& reading) {
  std::vector<Cell> cells;
  if (columns.empty()) {
    for (const auto& [family, traits] : table.families()) table.Read(row, family, nullptr, reading, &cells);
    return cells;
  }
  for (const store::GetRequest::Column& column : columns) {
    const bool whole = std::any_of(columns.begin(), columns.end(), [&](const store::GetRequest::Column& other) {
      return other.family == column.family && !other.qualifier;
    });
    if (column.qualifier && whole) continue;
    table.Read(row, column.family, column.qualifier ? &*column.qualifier : nullptr, reading, &cells);
  }
  if (columns.size() == 1) return cells;
  std::stable_sort(cells.begin(), cells.end(), InOrder);
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

/// Cuts the row before `behind`, and to the columns that fit.
void Cut(const store::ScanRequest& request, size_t room, store::Row* row) {
  if (request.behind && row->row == request.start_row) {
    const std::pair<std::string, std::string> behind{request.behind->family, request.behind->qualifier};
    std::erase_if(row->cells, [&](const Cell& cell) { return std::pair(cell.family, cell.qualifier) <= behind; });
  }
  size_t end = room;
  while (end > 0 && end < row->cells.size() && !InOrder(row->cells[end - 1], row->cells[end])) ++end;
  if (end >= row->cells.size()) return;
  row->cells.resize(end);
  row->goes_on = true;
}

}  // namespace

Result<ModelStore::Table*> ModelStore::Open(const std::string& name) {
  const auto found = tables_.find(std::string(CanonicalTableName(name)));
  if (found == tables_.end()) return store::NoSuchTable(name);
  return &found->second;
}

HbaseTable* ModelStore::Find(const std::string& name) {
  const auto found = tables_.find(std::string(CanonicalTableName(name)));
  return found == tables_.end() ? nullptr : &found->second.cells;
}

Result<std::vector<store::RejectedRow>> ModelStore::Write(const std::string& name,
                                                          std::span<const store::RowMutation> rows,
                                                          store::WriteKind kind) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return table.status();
  std::vector<store::RejectedRow> rejected;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (Status status = store::CheckMutation(name, rows[i], kind); !status.ok()) {
      rejected.push_back({i, std::move(status)});
      continue;
    }
    FENSI_RETURN_IF_ERROR(store::CheckFamilies((*table)->description, rows[i]));
    for (const Cell& cell : rows[i].cells) (*table)->cells.Write(rows[i].row, cell);
  }
  return rejected;
}

Result<bool> ModelStore::CompareAndPut(const std::string& name, const store::ConditionalPut& change) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return table.status();
  FENSI_RETURN_IF_ERROR(store::CheckMutation(name, change.put, store::WriteKind::kPut));
  FENSI_RETURN_IF_ERROR(store::CheckFamilies((*table)->description, change.put));
  const store::GetRequest get{change.put.row, {{change.family, change.qualifier}}};
  const Result<std::vector<store::Row>> found = Get(name, {&get, 1});
  if (!found.ok()) return found.status();
  const std::vector<Cell>& cells = found->front().cells;
  if ((cells.empty() ? "" : cells.front().value) != change.expected) return false;
  FENSI_RETURN_IF_ERROR(Write(name, {&change.put, 1}, store::WriteKind::kPut).status());
  return true;
}

Result<std::vector<store::Row>> ModelStore::Get(const std::string& name, std::span<const store::GetRequest> requests) {
  return GetSome(name, requests, SIZE_MAX);
}

Result<std::vector<store::Row>> ModelStore::GetSome(const std::string& name,
                                                    std::span<const store::GetRequest> requests, size_t max_bytes) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return table.status();
  std::vector<store::Row> rows;
  size_t bytes = 0;
  for (const store::GetRequest& request : requests) {
    if (bytes >= max_bytes && !rows.empty()) break;
    FENSI_RETURN_IF_ERROR(store::CheckGet(name, request));
    FENSI_RETURN_IF_ERROR(store::CheckFamilies((*table)->description, request.columns));
    rows.push_back({request.row, {}});
    const auto row = (*table)->cells.rows().find(request.row);
    if (row == (*table)->cells.rows().end()) continue;
    const HbaseTable::Reading reading{clock_->WallMillis(), request.max_versions, request.raw};
    rows.back().cells = CellsOf((*table)->cells, row->second, request.columns, reading);
    bytes += store::HeldBytes(rows.back());
  }
  return rows;
}

Result<std::vector<store::Row>> ModelStore::Scan(const std::string& name, const store::ScanRequest& request) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return table.status();
  FENSI_RETURN_IF_ERROR(store::CheckScan(name, request));
  FENSI_RETURN_IF_ERROR(store::CheckFamilies((*table)->description, request.columns));
  const HbaseTable::Reading reading{clock_->WallMillis(), request.max_versions, request.raw, request.times.from,
                                    request.times.to};
  const std::map<std::string, HbaseTable::Row>& all = (*table)->cells.rows();
  std::vector<store::Row> rows;
  size_t room = request.max_cells;
  for (auto at = all.lower_bound(request.start_row); at != all.end(); ++at) {
    if (rows.size() >= request.max_rows || room == 0) break;
    if (!request.stop_row.empty() && at->first >= request.stop_row) break;
    store::Row row{at->first, CellsOf((*table)->cells, at->second, request.columns, reading)};
    Cut(request, room, &row);
    if (row.cells.empty()) continue;
    room -= std::min(room, row.cells.size());
    row.goes_on |= room == 0 && rows.size() + 1 < request.max_rows;
    if (request.keys_only) {
      for (Cell& cell : row.cells) cell.value.clear();
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

Status ModelStore::CreateTable(const store::TableDescriptor& table, const std::vector<std::string>& split_keys) {
  const std::lock_guard lock(mu_);
  FENSI_RETURN_IF_ERROR(store::CheckTable(table, split_keys));
  store::TableDescriptor description = store::Normalized(table);
  description.name = CanonicalTableName(table.name);
  const std::string& name = description.name;
  if (tables_.count(name) > 0) return Status(StatusCode::kAlreadyExists, "table " + name + " is there");
  tables_.emplace(
      name, Table{description, split_keys, HbaseTable(TraitsOf(description, KeepDeleted::kFalse)), ++last_number_});
  std::sort(tables_.at(name).split_keys.begin(), tables_.at(name).split_keys.end());
  return {};
}

void ModelStore::SetKeepDeleted(const std::string& name, KeepDeleted keep) {
  Table& table = tables_.at(name);
  table.cells = HbaseTable(TraitsOf(table.description, keep));
}

Result<std::optional<store::TableDescriptor>> ModelStore::DescribeTable(const std::string& name) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return std::optional<store::TableDescriptor>();
  return std::optional<store::TableDescriptor>((*table)->description);
}

Result<std::vector<std::string>> ModelStore::TableNames() { return Names(); }

std::vector<std::string> ModelStore::Names() const {
  const std::lock_guard lock(mu_);
  std::vector<std::string> names;
  for (const auto& [name, table] : tables_) names.push_back(name);
  return names;
}

Result<std::vector<std::string>> ModelStore::RegionStarts(const std::string& name) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return table.status();
  std::vector<std::string> starts = {""};
  starts.insert(starts.end(), (*table)->split_keys.begin(), (*table)->split_keys.end());
  return starts;
}

Result<std::optional<store::TableIdentity>> ModelStore::IdentityOf(const std::string& name) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return table.status();
  return std::optional(store::TableIdentity{(*table)->number, (*table)->number});
}

Status ModelStore::DropTable(const std::string& name) {
  const std::lock_guard lock(mu_);
  return tables_.erase(std::string(CanonicalTableName(name))) > 0 ? Status() : store::NoSuchTable(name);
}

Status ModelStore::MajorCompact(const std::string& name, bool purge_all) {
  const std::lock_guard lock(mu_);
  const Result<Table*> table = Open(name);
  if (!table.ok()) return table.status();
  (*table)->cells.MajorCompact(clock_->WallMillis(), purge_all);
  return {};
}

}  // namespace fensi::testing
