#include "tests/indexer/support/zombie_store.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace fensi::testing {
namespace {

bool IsAsked(const store::GetRequest& get, const Cell& cell) {
  return get.columns.empty() || std::any_of(get.columns.begin(), get.columns.end(), [&](const auto& column) {
           return column.family == cell.family && column.qualifier.value_or(cell.qualifier) == cell.qualifier;
         });
}

/// As a reader of newest versions sees it; a delete is one of the whole column.
void AddLateCell(const Cell& late, store::Row* row) {
  const auto older = [&](const Cell& cell) {
    return cell.family == late.family && cell.qualifier == late.qualifier && cell.timestamp <= late.timestamp;
  };
  const bool newer = std::any_of(row->cells.begin(), row->cells.end(), [&](const Cell& cell) {
    return cell.family == late.family && cell.qualifier == late.qualifier && cell.timestamp > late.timestamp;
  });
  if (newer) return;
  std::erase_if(row->cells, older);
  if (late.type == CellType::kPut) row->cells.push_back(late);
}

}  // namespace

void ZombieStore::Release(int late_per_call, int untouched_calls) {
  untouched_calls_ = untouched_calls;
  keep_from_ = 0;
  late_per_call_ = late_per_call;
}

void ZombieStore::Forget() {
  late_.clear();
  keeping_ = only_one_ = false;
  keep_from_ = late_per_call_ = untouched_calls_ = 0;
}

Result<std::vector<store::RejectedRow>> ZombieStore::Put(const std::string& table,
                                                         std::span<const store::RowMutation> rows) {
  return Write(table, rows, store::WriteKind::kPut);
}

Result<std::vector<store::RejectedRow>> ZombieStore::Delete(const std::string& table,
                                                            std::span<const store::RowMutation> rows) {
  return Write(table, rows, store::WriteKind::kDelete);
}

Result<std::vector<store::Row>> ZombieStore::Get(const std::string& table, std::span<const store::GetRequest> gets) {
  Deliver(static_cast<size_t>(late_per_call_));
  Result<std::vector<store::Row>> rows = behind()->Get(table, gets);
  if (!rows.ok() || !keeping_ || late_per_call_ > 0) return rows;
  for (size_t i = 0; i < gets.size(); ++i) AddLateCells(table, gets[i], &(*rows)[i]);
  return rows;
}

void ZombieStore::AddLateCells(const std::string& table, const store::GetRequest& get, store::Row* row) const {
  for (const LateWrite& write : late_) {
    if (write.table != table) continue;
    for (const store::RowMutation& mutation : write.rows) {
      if (mutation.row != get.row) continue;
      for (const Cell& cell : mutation.cells) {
        if (IsAsked(get, cell)) AddLateCell(cell, row);
      }
    }
  }
}

Result<std::vector<store::RejectedRow>> ZombieStore::Write(const std::string& table,
                                                           std::span<const store::RowMutation> rows,
                                                           store::WriteKind kind) {
  if (keep_from_ > 0 && --keep_from_ == 0) keeping_ = true;
  if (keeping_ && late_per_call_ == 0) {
    if (only_one_ && !late_.empty()) return Status(StatusCode::kFenced, "the partition belongs to somebody else");
    late_.push_back({table, {rows.begin(), rows.end()}, kind});
    return std::vector<store::RejectedRow>();
  }
  Deliver(static_cast<size_t>(late_per_call_));
  return kind == store::WriteKind::kPut ? behind()->Put(table, rows) : behind()->Delete(table, rows);
}

void ZombieStore::Deliver(size_t n) {
  if (untouched_calls_ > 0 && n > 0) {
    --untouched_calls_;
    return;
  }
  for (; n > 0 && !late_.empty(); --n) {
    const LateWrite write = std::move(late_.front());
    late_.pop_front();
    const auto written = write.kind == store::WriteKind::kPut ? behind()->Put(write.table, write.rows)
                                                              : behind()->Delete(write.table, write.rows);
    if (!written.ok()) std::abort();
  }
  if (late_.empty()) keeping_ = false;
}

}  // namespace fensi::testing
