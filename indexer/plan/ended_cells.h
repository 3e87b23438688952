// Finds cells that the registers show and the source does not show any more, because their TTL has ended (M24). No
// event reports the end: the entry is corrected with the row's next event.
//
// Not thread-safe; no I/O; the caller sets the time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/cell.h"
#include "indexer/state/unit.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// The part of a unit that an event concerns.
struct Touched {
  std::span<const Cell* const> cells;
  bool families = false;  // a marker of a whole family
};

class EndedCells {
 public:
  /// `ask`: an end that matters makes the event ambiguous; otherwise ended cells never count.
  EndedCells(const mapping::Index* index, bool ask)
      : index_(index), own_only_(ask && !index->ends_matter()), matter_(!index->expires_exactly()) {}

  static constexpr int64_t kOtherClockMillis = 5'000;

  /// Milliseconds since the epoch; without this call nothing has ended.
  void set_now(int64_t now_millis) { now_ = now_millis; }
  int64_t now() const { return now_; }

  /// True if the index has entries that may stay after a cell has ended.
  bool matter() const { return matter_; }
  /// True if only cells with a TTL of their own matter: an entry is made of one cell, and expires with the TTL of its
  /// family.
  bool own_only() const { return own_only_; }
  /// True if an entry that such an event brings or leaves, up to `version`, may be made of a cell that has ended, and
  /// stay.
  bool MayShow(const Touched& touched, const Visible& shown, int64_t version) const;

  /// Removes ended cells.
  void Drop(Visible* shown) const;
  /// True if an attempt before, or an attempt on a machine with another clock, may have made entries of more cells or
  /// of fewer.
  bool Ambiguous(const Touched& touched, const Visible& shown) const;
  /// Ends of cells that templates name, up to now plus 5 s, sorted. An attempt may have seen the row without the cells
  /// up to any of these ends.
  std::vector<int64_t> NamedEnds(const Visible& shown) const;
  /// Removes cells that had ended at `then`.
  void DropEndedAt(int64_t then, Visible* shown) const;
  /// Removes cells that had ended at `then`, except cells that `each:` binds: those only add entries.
  void DropNamed(int64_t then, Visible* shown) const;

 private:
  /// True if an entry of the cell at `version` stays.
  bool Stays(const Cell& cell, int64_t version) const;
  /// True if the ends of all cells matter for such an event.
  bool ConcernsAll(const Touched& touched) const;
  bool Matters(const mapping::VisibleCell& cell, const Touched& touched) const;

  /// Perhaps by another machine's clock.
  bool HasEnded(const mapping::VisibleCell& cell) const { return index_->EndOf(cell) - kOtherClockMillis < now_; }

  const mapping::Index* const index_;
  const bool own_only_;
  const bool matter_;
  int64_t now_ = INT64_MIN;
};

}  // namespace fensi::indexer
