// Writes what a batch changes to the index tables, and finds out which cells the store refuses for good.
//
// Blocking, not thread-safe. The plan and the letters belong to one batch; index, store and assignment to the caller.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "indexer/period_tables.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/letter.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class IndexWriter {
 public:
  IndexWriter(const mapping::Index* index, store::Store* store, const consumer::Assignment* assignment, Clock* clock,
              PhaseClock* phases);

  /// Puts, then removals (M7); empties the set. A cell that the store refuses is a letter of the record that asked for
  /// it, and an older entry that it was to replace is removed: all other cells are written.
  Status Write(ChangeSet* changes, std::vector<Letter>* letters);

  int64_t puts() const { return puts_; }  // cells, ever
  int64_t deletes() const { return deletes_; }

 private:
  Status WriteTables(const Changes& changes, store::WriteKind kind, Changes* removals);
  Status WriteTable(const std::string& table, const TableChanges& changes, store::WriteKind kind,
                    TableChanges* removals);
  Result<std::vector<store::RejectedRow>> Send(const std::string& table, const TableChanges& changes,
                                               store::WriteKind kind);
  /// All these entries lie before `keep:`: their table may be gone, or somebody is dropping it.
  bool AreOver(const TableChanges& changes) const;
  /// False: there is no table for these changes, and none is to be made.
  Result<bool> HasTable(const std::string& table, const TableChanges& changes, store::WriteKind kind);

  const mapping::Index* const index_;
  store::Store* const store_;
  const consumer::Assignment* const assignment_;
  Clock* const clock_;
  PhaseClock* const phases_;
  PeriodTables period_tables_;
  std::vector<Letter>* letters_ = nullptr;  // of the batch that is being written
  int64_t puts_ = 0;
  int64_t deletes_ = 0;
};

}  // namespace fensi::indexer
