#include "indexer/plan/ended_cells.h"

#include <algorithm>

namespace fensi::indexer {

bool EndedCells::ConcernsAll(const Touched& touched) const {
  // A shared cell is removed by its version alone: each entry of the unit must have that of its last step.
  if (touched.families || index_->shared() || index_->ends_matter_between_bound()) return true;
  return std::any_of(touched.cells.begin(), touched.cells.end(),
                     [this](const Cell* cell) { return index_->Names(cell->family, cell->qualifier); });
}

bool EndedCells::Matters(const mapping::VisibleCell& cell, const Touched& touched) const {
  if (index_->Names(cell.family, cell.qualifier)) return true;
  return std::any_of(touched.cells.begin(), touched.cells.end(), [&](const Cell* of_event) {
    return of_event->qualifier == cell.qualifier && of_event->family == cell.family;
  });
}

bool EndedCells::Stays(const Cell& cell, int64_t version) const {
  // M24: the entry stands at the unit's version, so its TTL counts from there.
  return index_->EndOf({.family = cell.family, .timestamp = std::max(cell.timestamp, version)}) >= now_;
}

bool EndedCells::MayShow(const Touched& touched, const Visible& shown, int64_t version) const {
  if (!matter()) return false;
  const bool all = ConcernsAll(touched);
  bool ended = false, live = touched.families;
  for (const Cell* cell : touched.cells) live = live || Stays(*cell, version);
  for (const mapping::VisibleCell& cell : shown.cells) {
    const bool is_live = index_->EndOf(cell) >= now_;
    live = live || is_live;
    const bool counts = own_only_ ? cell.expires_at < now_ : !is_live;
    ended = ended || (counts && (all || Matters(cell, touched)));
  }
  // Where all has ended, also the event, as in an old stream, no entry stays that goes by a TTL.
  return ended && (live || !index_->all_entries_expire());
}

void EndedCells::Drop(Visible* shown) const {
  if (!matter()) return;
  std::erase_if(shown->cells, [this](const mapping::VisibleCell& cell) { return index_->EndOf(cell) < now_; });
}

bool EndedCells::Ambiguous(const Touched& touched, const Visible& shown) const {
  if (!matter()) return false;
  const bool all = ConcernsAll(touched);
  return std::any_of(shown.cells.begin(), shown.cells.end(), [&](const mapping::VisibleCell& cell) {
    return HasEnded(cell) && (all || Matters(cell, touched));
  });
}

std::vector<int64_t> EndedCells::NamedEnds(const Visible& shown) const {
  std::vector<int64_t> ends;
  for (const mapping::VisibleCell& cell : shown.cells) {
    if (HasEnded(cell) && index_->Names(cell.family, cell.qualifier)) ends.push_back(index_->EndOf(cell));
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

void EndedCells::DropEndedAt(int64_t then, Visible* shown) const {
  std::erase_if(shown->cells, [&](const mapping::VisibleCell& cell) { return index_->EndOf(cell) <= then; });
}

void EndedCells::DropNamed(int64_t then, Visible* shown) const {
  std::erase_if(shown->cells, [&](const mapping::VisibleCell& cell) {
    return index_->EndOf(cell) <= then && index_->Names(cell.family, cell.qualifier);
  });
}

}  // namespace fensi::indexer
