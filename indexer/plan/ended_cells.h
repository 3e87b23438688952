// Cells that registers show and the source does not any more, because their TTL has ended (M24). Nothing tells of an
// end: what an entry becomes without such a cell comes with the row's next event.
//
// Not thread-safe, no I/O; the time is told.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cell.h"
#include "indexer/state/unit.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// What of a unit an event concerns.
struct Touched {
  std::span<const Cell* const> cells;
  bool families = false;  // a marker of a whole family
};

class EndedCells {
 public:
  /// `ask`: the source is asked where an end matters; else what has ended never counts.
  EndedCells(const mapping::Index* index, bool ask)
      : index_(index), own_only_(ask && !index->ends_matter()), matter_(!index->expires_exactly()) {}

  static constexpr int64_t kOtherClockMillis = 5'000;

  /// Milliseconds since the epoch; nothing has ended unless this is called.
  void set_now(int64_t now_millis) { now_ = now_millis; }
  int64_t now() const { return now_; }

  /// The index has entries that may stay when a cell has ended.
  bool matter() const { return matter_; }
  /// Only ends of cells that have a TTL of their own matter: an entry is made of one cell, and goes with its family's.
  bool own_only() const { return own_only_; }
  /// An entry that such an event brings or leaves, up to `version`, may be made of a cell that has ended and stay.
  bool MayShow(const Touched& touched, const Visible& shown, int64_t version) const;

  /// Leaves out what has ended.
  void Drop(Visible* shown) const;
  /// An attempt before, or one on a machine with another clock, may have made entries of more cells or of fewer.
  bool Ambiguous(const Touched& touched, const Visible& shown) const;
  /// Ends of cells that templates name, up to now and 5 s more, sorted: so an attempt may have seen the row
  /// without the cells up to any of them.
  std::vector<int64_t> NamedEnds(const Visible& shown) const;
  /// Leaves out what had ended then, but for cells that `each:` binds: with them there are more entries, and no others.
  void DropNamed(int64_t then, Visible* shown) const;

 private:
  /// An entry of the cell that stands at `version` stays.
  bool Stays(const Cell& cell, int64_t version) const;
  /// The ends of all cells matter to what such an event touches.
  bool ConcernsAll(const Touched& touched) const;
  bool Matters(const mapping::VisibleCell& cell, const Touched& touched) const;

  /// Perhaps by another clock.
  bool HasEnded(const mapping::VisibleCell& cell) const { return index_->EndOf(cell) - kOtherClockMillis < now_; }

  const mapping::Index* const index_;
  const bool own_only_;
  const bool matter_;
  int64_t now_ = INT64_MIN;
};

}  // namespace fensi::indexer
