#include "indexer/index_writer.h"

#include <utility>

namespace fensi::indexer {
namespace {

/// The refused rows taken apart into mutations of one cell each.
TableChanges CellsAlone(const TableChanges& changes, const std::vector<store::RejectedRow>& refused) {
  std::vector<size_t> first_cells;
  size_t cells = 0;
  for (const store::RowMutation& row : changes.rows) {
    first_cells.push_back(cells);
    cells += row.cells.size();
  }
  TableChanges alone;
  for (const store::RejectedRow& rejected : refused) {
    const store::RowMutation& row = changes.rows[rejected.index];
    for (size_t i = 0; i < row.cells.size(); ++i) {
      alone.rows.push_back({row.row, {row.cells[i]}});
      alone.origins.push_back(changes.origins[first_cells[rejected.index] + i]);
    }
  }
  return alone;
}

/// What a put that is refused was to replace would stay and be wrong.
void RemoveReplaced(const store::RowMutation& put, const Origin& origin, TableChanges* removals) {
  if (origin.replaces == Origin::kNoEntry) return;
  const Cell& cell = put.cells.front();
  removals->rows.push_back(
      {put.row, {{cell.family, cell.qualifier, origin.replaces, CellType::kDeleteColumn, {}, {}}}});
  removals->origins.push_back({origin.record});
}

}  // namespace

IndexWriter::IndexWriter(const mapping::Index* index, store::Store* store, const consumer::Assignment* assignment)
    : index_(index), store_(store), assignment_(assignment), period_tables_(index, store) {}

Status IndexWriter::Write(ChangeSet* changes, std::vector<Report>* reports) {
  reports_ = reports;
  Changes puts, deletes;
  changes->Take(&puts, &deletes);
  FENSI_RETURN_IF_ERROR(WriteTables(puts, false, &deletes));
  FENSI_RETURN_IF_ERROR(WriteTables(deletes, true, nullptr));
  return {};
}

Status IndexWriter::WriteTables(const Changes& changes, bool deletes, Changes* removals) {
  for (const auto& [table, mutations] : changes) {
    TableChanges replaced;
    FENSI_RETURN_IF_ERROR(WriteTable(table, mutations, deletes, &replaced));
    (deletes ? deletes_ : puts_) += static_cast<int64_t>(mutations.origins.size());
    if (replaced.rows.empty()) continue;
    TableChanges* with = &(*removals)[table];
    with->rows.insert(with->rows.end(), replaced.rows.begin(), replaced.rows.end());
    with->origins.insert(with->origins.end(), replaced.origins.begin(), replaced.origins.end());
  }
  return {};
}

Status IndexWriter::WriteTable(const std::string& table, const TableChanges& changes, bool deletes,
                               TableChanges* removals) {
  Result<std::vector<store::RejectedRow>> refused = Send(table, changes.rows, deletes);
  FENSI_RETURN_IF_ERROR(refused.status());
  if (refused->empty()) return {};
  const TableChanges alone = CellsAlone(changes, *refused);
  refused = Send(table, alone.rows, deletes);
  FENSI_RETURN_IF_ERROR(refused.status());
  for (const store::RejectedRow& rejected : *refused) {
    const Origin& origin = alone.origins[rejected.index];
    reports_->push_back({origin.record, rejected.reason.message()});
    if (!deletes) RemoveReplaced(alone.rows[rejected.index], origin, removals);
  }
  return {};
}

Result<std::vector<store::RejectedRow>> IndexWriter::Send(const std::string& table,
                                                          std::span<const store::RowMutation> rows, bool deletes) {
  // A period table may be dropped at any moment; twice within one write is no accident.
  for (int attempt = 0;; ++attempt) {
    FENSI_RETURN_IF_ERROR(assignment_->Check());
    const Result<bool> there = deletes ? period_tables_.IsThere(table) : Result<bool>(true);
    FENSI_RETURN_IF_ERROR(there.status());
    if (!*there) return std::vector<store::RejectedRow>();
    if (!deletes) FENSI_RETURN_IF_ERROR(period_tables_.RequireForPuts(table));
    Result<std::vector<store::RejectedRow>> written = deletes ? store_->Delete(table, rows) : store_->Put(table, rows);
    const bool dropped = written.status().code() == StatusCode::kNotFound && index_->table_is_template();
    if (!dropped || attempt > 0) return written;
    period_tables_.Forget(table);
  }
}

}  // namespace fensi::indexer
