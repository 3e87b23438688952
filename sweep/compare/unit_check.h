// Checks once what looks wrong in given units of the source: their entries, and cells that were named with them.
// Confirms nothing: the source, or the index, may be in the middle of a change (judge.h).
//
// Blocks on the store; one thread. Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/finding.h"
#include "sweep/scan/derivation.h"
#include "sweep/scan/page_reader.h"

namespace fensi::sweep {

struct RepairTarget {
  SourceUnit unit;
  std::vector<IndexCell> cells;  // none: only the unit was named
};

struct MismatchedCell {
  Finding::Kind kind = Finding::Kind::kMissing;  // or kContentDiffers, kOrphan
  IndexCell cell;
  int64_t timestamp = 0;  // of the version that was found
  bool own = true;        // no other source row can give it, now or later
};

/// The result for one unit; valid during the callback.
struct CheckedUnit {
  const RepairTarget* named = nullptr;
  std::vector<MismatchedCell> wrong;
  bool whole = true;           // false: it is too large to be compared, and `wrong` is empty
  int64_t newest = INT64_MIN;  // timestamp of its newest watched cell
};

class UnitCheck {
 public:
  /// `newest_put` is empty: times of entries are not compared.
  UnitCheck(const mapping::Index* index, store::Store* store, Clock* clock, NewestPut newest_put = nullptr);

  using Use = std::function<Status(const CheckedUnit&)>;
  /// Checks each unit once, in their order. Leaves out a named cell that another source row may give: only the cell's
  /// key can identify its unit.
  Status Look(std::span<const RepairTarget> units, const Use& use);

 private:
  void Expect(const RepairTarget& named, const store::Row& row);
  void Want(const mapping::Entry& cell, bool given);
  Status Flush(const Use& use);
  /// Records a cell that is right, whose time may be too new.
  void NoteTime(size_t place, const mapping::Entry& cell, int64_t timestamp);
  Status CheckTimes(std::span<const mapping::Entry> cells);
  std::optional<MismatchedCell> WrongWith(size_t place, const mapping::Entry& wanted, const Cell* found) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  CellReader cells_;
  Derivation derivation_;
  // Cells of one lookup, and their units.
  struct Wanted {
    size_t unit = 0;
    bool given = false;  // the unit gives it, so it must be there
  };
  mapping::EntryList entries_;
  std::vector<Wanted> wanted_;
  std::vector<CheckedUnit> units_;
  EntryTimes times_;
  struct Late {
    size_t place = 0;
    int64_t timestamp = 0;
  };
  std::vector<Late> late_;  // cells that may be too new
  size_t bytes_ = 0;
};

}  // namespace fensi::sweep
