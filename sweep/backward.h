// From the index to the source: every cell of the index is given by a source row.
//
// Most cells tell their source row, which is read. Of others it is proved by a second pass over the source (Orphans).
// Blocks on the store; one thread. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "sweep/forward.h"
#include "sweep/job.h"
#include "sweep/orphans.h"

namespace fensi::sweep {

struct BackwardOptions {
  bool all_rows = true;            // all source rows are compared, so that a cell that none gives has no place
  bool summed = false;             // Note was called for all that the source gives
  size_t max_unknown = 1'000'000;  // suspects whose source row nobody knows
  std::chrono::milliseconds recheck{5'000};
  HasFollowed followed;  // empty: it has after `recheck`
  std::function<Status()> go_on;
};

class Backward {
 public:
  Backward(Sweep* sweep, BackwardOptions options);

  /// The source gives this entry.
  void Note(const mapping::Entry& entry);
  Status Compare();
  /// Counts what the index has as Compare does; `found` is called with each cell, and none is looked up.
  Status Sum(const std::function<void(const mapping::Entry&, int64_t timestamp)>& found);
  /// Compares rows of one table, as far as the walker goes; only cells that tell their source row.
  Status CompareTable(const std::string& table, const RowRange& rows);
  /// Compare ended because too many cells do not tell their source row.
  bool too_many() const { return too_many_; }

 private:
  struct Item {
    SourceUnit unit;
    bool by_value = false;  // only the cell's value tells the unit
    IndexCell cell;
    int64_t timestamp = 0;
  };

  using UseCell = std::function<Status(const mapping::Entry& cell, int64_t timestamp)>;
  Status WalkIndex(const UseCell& use);
  Status WalkTable(const std::string& table, const RowRange& rows, const UseCell& use);
  Status CompareCell(const mapping::Entry& cell, int64_t timestamp);
  Status Flush();
  /// Cells of one unit.
  Status CheckUnit(const store::Row& row, const std::vector<Item*>& items);
  Status Unknown(const mapping::Entry& cell, int64_t timestamp);
  Status AddSuspect(const mapping::Entry& cell, int64_t timestamp);
  Status ProveUnknown();
  Status ReportLeft();

  Sweep* const sweep_;
  const BackwardOptions options_;
  Orphans orphans_;
  Derivation derivation_;
  std::vector<Item> items_;
  size_t bytes_ = 0;
  bool too_many_ = false;
};

}  // namespace fensi::sweep
