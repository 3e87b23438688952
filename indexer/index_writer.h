// Writes the changes of a batch to the changelog and to the index tables, and finds out which cells the store refuses
// permanently.
//
// Blocks; not thread-safe. The plan and the dead letters belong to one batch; index, store and assignment to the
// caller.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "indexer/changelog/row_changelog.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/event_check.h"
#include "indexer/tables.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class IndexWriter {
 public:
  /// `changelog` is null if the index has none.
  IndexWriter(const mapping::Index* index, store::Store* store, Clock* clock, PhaseClock* phases,
              RowChangelog* changelog = nullptr);

  /// Writes envelopes, then puts, then removals (M7), and empties the set. A cell that the store refuses becomes a dead
  /// letter of the record that asked for it, and the older entry that it was to replace is removed. All other cells are
  /// written.
  Status Write(const ChangedBatch& of, ChangeSet* changes, std::vector<Letter>* letters);

  int64_t puts() const { return puts_; }  // cells, since construction
  int64_t deletes() const { return deletes_; }

 private:
  Status WriteCells(Changes* puts, Changes* deletes);
  Status WriteTables(const Changes& changes, store::WriteKind kind, Changes* removals);
  Status WriteTable(const std::string& table, const TableChanges& changes, store::WriteKind kind,
                    TableChanges* removals);
  Result<std::vector<store::RejectedRow>> Send(const std::string& table, const TableChanges& changes,
                                               store::WriteKind kind);
  /// True if all these entries are before `retention:`: their table may be gone, or is being dropped.
  bool AreOver(const TableChanges& changes) const;
  /// True if these entries are so far ahead of `retention:` that none was put.
  bool AreAhead(const TableChanges& changes) const;
  /// False: there is no table for these changes, and none must be created.
  Result<bool> HasTable(const std::string& table, const TableChanges& changes, store::WriteKind kind);

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  PhaseClock* const phases_;
  RowChangelog* const changelog_;
  PeriodTables period_tables_;
  std::vector<Letter>* letters_ = nullptr;  // of the current batch
  Changes refused_;                         // cells of the current batch; only with a changelog
  int64_t puts_ = 0;
  int64_t deletes_ = 0;
};

}  // namespace fensi::indexer
