#include "indexer/index_writer.h"

#include <algorithm>
#include <optional>

namespace fensi::indexer {
namespace {

using store::WriteKind;

constexpr int64_t kAheadMillis = 25 * 3'600'000;  // further ahead no entry is put, whose clock ever it is

/// The refused rows taken apart into mutations of one cell each.
TableChanges CellsAlone(const TableChanges& changes, const std::vector<store::RejectedRow>& refused) {
  std::vector<size_t> first_cells;
  size_t cells = 0;
  for (const store::RowMutation& row : changes.rows) {
    first_cells.push_back(cells);
    cells += row.cells.size();
  }
  TableChanges alone{.newest_period = changes.newest_period};
  for (const store::RejectedRow& rejected : refused) {
    const store::RowMutation& row = changes.rows[rejected.index];
    for (size_t i = 0; i < row.cells.size(); ++i) {
      // M7: one refused cell must not take other source rows' cells of its index row along.
      alone.rows.push_back({row.row, {row.cells[i]}});
      alone.origins.push_back(changes.origins[first_cells[rejected.index] + i]);
    }
  }
  return alone;
}

/// Plans the removal of what a refused put was to replace: it would stay, and be wrong.
void RemoveReplaced(const store::RowMutation& put, const Origin& origin, TableChanges* removals) {
  // M7: after a refused put the index must not keep the old entry of its cell.
  if (origin.replaces == Origin::kNoEntry) return;
  const Cell& cell = put.cells.front();
  removals->rows.push_back(
      {put.row, {{cell.family, cell.qualifier, origin.replaces, CellType::kDeleteColumn, {}, {}}}});
  removals->origins.push_back({origin.record});
}

}  // namespace

IndexWriter::IndexWriter(const mapping::Index* index, store::Store* store, Clock* clock, PhaseClock* phases,
                         RowChangelog* changelog)
    : index_(index),
      store_(store),
      clock_(clock),
      phases_(phases),
      changelog_(changelog),
      period_tables_(index, store) {}

Status IndexWriter::Write(const ChangedBatch& of, ChangeSet* changes, std::vector<Letter>* letters) {
  letters_ = letters;
  Changes puts, deletes;
  changes->Take(&puts, &deletes);
  if (changelog_ == nullptr) return WriteCells(&puts, &deletes);
  refused_.clear();
  // The envelopes are durable before a reader can see a cell: no change is without one.
  {
    const InPhase phase(phases_, Phase::kChangelog);
    FENSI_RETURN_IF_ERROR(changelog_->Announce(puts, deletes, of, letters));
  }
  FENSI_RETURN_IF_ERROR(WriteCells(&puts, &deletes));
  return refused_.empty() ? Status() : changelog_->Correct(refused_, of, letters);
}

Status IndexWriter::WriteCells(Changes* puts, Changes* deletes) {
  // M7: puts before removals, so that an entry that moves is never missing.
  FENSI_RETURN_IF_ERROR(WriteTables(*puts, WriteKind::kPut, deletes));
  FENSI_RETURN_IF_ERROR(WriteTables(*deletes, WriteKind::kDelete, nullptr));
  return {};
}

Status IndexWriter::WriteTables(const Changes& changes, WriteKind kind, Changes* removals) {
  const InPhase phase(phases_, kind == WriteKind::kPut ? Phase::kWritePuts : Phase::kWriteDeletes);
  for (const auto& [table, mutations] : changes) {
    TableChanges replaced{.newest_period = mutations.newest_period};
    FENSI_RETURN_IF_ERROR(WriteTable(table, mutations, kind, &replaced));
    (kind == WriteKind::kPut ? puts_ : deletes_) += static_cast<int64_t>(mutations.origins.size());
    if (replaced.rows.empty()) continue;
    TableChanges* with = &(*removals)[table];
    with->newest_period = std::max(with->newest_period, replaced.newest_period);
    with->rows.insert(with->rows.end(), replaced.rows.begin(), replaced.rows.end());
    with->origins.insert(with->origins.end(), replaced.origins.begin(), replaced.origins.end());
  }
  return {};
}

Status IndexWriter::WriteTable(const std::string& table, const TableChanges& changes, WriteKind kind,
                               TableChanges* removals) {
  Result<std::vector<store::RejectedRow>> refused = Send(table, changes, kind);
  FENSI_RETURN_IF_ERROR(refused.status());
  if (refused->empty()) return {};
  const TableChanges alone = CellsAlone(changes, *refused);
  refused = Send(table, alone, kind);
  FENSI_RETURN_IF_ERROR(refused.status());
  for (const store::RejectedRow& rejected : *refused) {
    const Origin& origin = alone.origins[rejected.index];
    letters_->push_back({origin.record, rejected.reason.message(), LetterKind::kRejected});
    if (changelog_ != nullptr) {
      refused_[table].rows.push_back(alone.rows[rejected.index]);
      refused_[table].origins.push_back(origin);
    }
    if (kind == WriteKind::kPut) RemoveReplaced(alone.rows[rejected.index], origin, removals);
  }
  return {};
}

bool IndexWriter::AreOver(const TableChanges& changes) const {
  const std::optional<int64_t> keep = index_->keep_millis();
  return keep && changes.newest_period < clock_->WallMillis() - *keep;
}

bool IndexWriter::AreAhead(const TableChanges& changes) const {
  return index_->keep_millis() && changes.newest_period > clock_->WallMillis() + kAheadMillis;
}

Result<bool> IndexWriter::HasTable(const std::string& table, const TableChanges& changes, WriteKind kind) {
  // M26: do not recreate the table of a period that is over.
  if (AreOver(changes)) {
    const Result<bool> dropping = period_tables_.IsBeingDropped(table);
    // M26: whoever drops the table recorded it first, so do not wait for a disabled table.
    if (!dropping.ok() || *dropping) return dropping.ok() ? Result<bool>(false) : dropping;
    return period_tables_.IsThere(table);
  }
  // M26: a removal needs its marker. An attempt that knows less may be at the put of what is removed, and create the
  // table.
  if (kind == WriteKind::kDelete && AreAhead(changes)) return period_tables_.IsThere(table);
  const Status made = period_tables_.RequireForPuts(table);
  return made.ok() ? Result<bool>(true) : made;
}

Result<std::vector<store::RejectedRow>> IndexWriter::Send(const std::string& table, const TableChanges& changes,
                                                          WriteKind kind) {
  const bool puts = kind == WriteKind::kPut;
  // A period table may be dropped at any moment; twice within one write is no accident.
  for (int attempt = 0;; ++attempt) {
    FENSI_ASSIGN_OR_RETURN(const bool there, HasTable(table, changes, kind));
    if (!there) return std::vector<store::RejectedRow>();
    Result<std::vector<store::RejectedRow>> written =
        puts ? store_->Put(table, changes.rows) : store_->Delete(table, changes.rows);
    const bool dropped = written.status().code() == StatusCode::kNotFound && index_->table_is_template();
    if (!dropped || attempt > 0) return written;
    period_tables_.Forget(table);
  }
}

}  // namespace fensi::indexer
