// Compares from the index to the source: checks that a source row gives every cell of the index.
//
// Most cells identify their source row, which is read. Other cells are proved by a second pass over the source
// (OrphanDetector). Blocks on the store; one thread. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "sweep/compare/forward.h"
#include "sweep/compare/orphan_detector.h"
#include "sweep/jobs/board.h"

namespace fensi::sweep {

struct BackwardOptions {
  bool all_rows = true;            // all source rows are compared, so a cell that no row gives is an orphan
  bool summed = false;             // Note was called for all entries of the source
  size_t max_unknown = 1'000'000;  // suspects whose source row is unknown
  std::chrono::milliseconds recheck{5'000};
  IsCaughtUp followed;  // empty: the index has followed after `recheck`
  std::function<Status()> go_on;
};

class Backward {
 public:
  Backward(Sweep* sweep, BackwardOptions options);

  /// Records an entry that the source gives.
  void Note(const mapping::Entry& entry);
  Status Compare();
  /// Counts the index as Compare does, and calls `found` with each cell; looks nothing up.
  Status Sum(const std::function<void(const mapping::Entry&, int64_t timestamp)>& found);
  /// Compares rows of one table, as far as the scanner goes; only cells that identify their source row.
  Status CompareTable(const std::string& table, const RowRange& rows);
  /// True if Compare ended because too many cells do not identify their source row.
  bool too_many() const { return too_many_; }

 private:
  struct Item {
    SourceUnit unit;
    bool by_value = false;  // only the cell's value identifies the unit
    IndexCell cell;
    int64_t timestamp = 0;
  };

  using UseCell = std::function<Status(const mapping::Entry& cell, int64_t timestamp)>;
  Status WalkIndex(const UseCell& use);
  Status WalkTable(const std::string& table, const RowRange& rows, const UseCell& use);
  Status CompareCell(const mapping::Entry& cell, int64_t timestamp);
  Status Flush();
  /// Checks cells of one unit.
  Status CheckUnit(const store::Row& row, const std::vector<Item*>& items);
  Status Unknown(const mapping::Entry& cell, int64_t timestamp);
  Status AddSuspect(const mapping::Entry& cell, int64_t timestamp);
  Status ProveUnknown();
  Status ReportLeft();

  Sweep* const sweep_;
  const BackwardOptions options_;
  OrphanDetector orphans_;
  Derivation derivation_;
  std::vector<Item> items_;
  size_t bytes_ = 0;
  bool too_many_ = false;
};

}  // namespace fensi::sweep
