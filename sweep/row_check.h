// What looks wrong, at this moment, of units of the source that somebody names: what they give, and cells that he named
// with them. Nothing is judged: the source, or who follows it, may be in the middle of a change (judge.h).
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
#include "sweep/cell_reader.h"
#include "sweep/derivation.h"
#include "sweep/entry_times.h"
#include "sweep/finding.h"

namespace fensi::sweep {

struct NamedUnit {
  SourceUnit unit;
  std::vector<IndexCell> cells;  // none: the unit was named alone
};

struct WrongCell {
  Finding::Kind kind = Finding::Kind::kMissing;  // or kContentDiffers, kOrphan
  IndexCell cell;
  int64_t timestamp = 0;  // of the version that was found
  bool own = true;        // no other source row can give it, now or later
};

/// Of one unit; valid while the use of it lasts.
struct SeenUnit {
  const NamedUnit* named = nullptr;
  std::vector<WrongCell> wrong;
  bool whole = true;           // false: it is too large to be compared, and `wrong` is empty
  int64_t newest = INT64_MIN;  // timestamp of its newest watched cell
};

class RowCheck {
 public:
  /// `newest_put` is empty: times of entries are not compared.
  RowCheck(const mapping::Index* index, store::Store* store, Clock* clock, NewestPut newest_put = nullptr);

  using Use = std::function<Status(const SeenUnit&)>;
  /// Each unit once, in their order. A named cell that another source row may give is left out: only the cell's key can
  /// tell that it is the unit's own.
  Status Look(std::span<const NamedUnit> units, const Use& use);

 private:
  void Expect(const NamedUnit& named, const store::Row& row);
  void Want(const mapping::Entry& cell, bool given);
  Status Flush(const Use& use);
  /// The cell is right. Its time may be too new.
  void NoteTime(size_t place, const mapping::Entry& cell, int64_t timestamp);
  Status CheckTimes(std::span<const mapping::Entry> cells);
  std::optional<WrongCell> WrongWith(size_t place, const mapping::Entry& wanted, const Cell* found) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  CellReader cells_;
  Derivation derivation_;
  // Cells that are looked up in one go, and the units that they are of.
  struct Wanted {
    size_t unit = 0;
    bool given = false;  // by the unit, so that it has to be there
  };
  mapping::EntryList entries_;
  std::vector<Wanted> wanted_;
  std::vector<SeenUnit> units_;
  EntryTimes times_;
  struct Late {
    size_t place = 0;
    int64_t timestamp = 0;
  };
  std::vector<Late> late_;  // that may be too new
  size_t bytes_ = 0;
};

}  // namespace fensi::sweep
