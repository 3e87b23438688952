#include "sweep/scrub/piece.h"

#include <algorithm>
#include <utility>

#include "sweep/compare/comparison.h"

namespace fensi::sweep {

Result<ScrubPlace> ScrubPiece::Run(ScrubPlace place) {
  if (place.sum.began == 0) place.sum.began = parts_.clock->WallMillis();
  FENSI_RETURN_IF_ERROR(Compare(&place));
  place.sum.Add(counts_);
  return place;
}

Status ScrubPiece::Add(const Finding& finding) {
  const bool differs = finding.kind != Finding::Kind::kUndecided && finding.kind != Finding::Kind::kUnmappable;
  if (differs && findings_.size() < kMostFindings) findings_.push_back(finding);
  return {};
}

Status ScrubPiece::Compare(ScrubPlace* place) {
  if (place->backward) return CompareTable(place);
  FENSI_ASSIGN_OR_RETURN(std::string next, CompareRows({place->next, ""}));
  place->next = std::move(next);
  place->backward = place->next.empty();
  return {};
}

/// The first row that is left; empty: none is.
Result<std::string> ScrubPiece::CompareRows(const RowRange& rows) {
  FENSI_ASSIGN_OR_RETURN(ChunkResult end, CompareChunk({parts_.index, parts_.store, parts_.clock, this, &counts_,
                                                        parts_.tables, parts_.walk, parts_.judge},
                                                       {rows, {}}));
  return std::move(end.next);
}

/// The table of the place, or the next one that is there.
Status ScrubPiece::CompareTable(ScrubPlace* place) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> tables, parts_.tables->Existing(parts_.clock->WallMillis()));
  const auto table = std::lower_bound(tables.begin(), tables.end(), place->table);
  if (table != tables.end()) {
    FENSI_ASSIGN_OR_RETURN(std::string next,
                           CompareRows({*table == place->table ? place->next : std::string(), "", *table}));
    place->table = *table;
    place->next = std::move(next);
    if (!place->next.empty()) return {};
  }
  const bool last = table == tables.end() || table + 1 == tables.end();
  if (last) {
    place->sum.ended = parts_.clock->WallMillis();
  } else {
    place->table = *(table + 1);
  }
  return {};
}

}  // namespace fensi::sweep
