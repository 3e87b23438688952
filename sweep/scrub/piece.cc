#include "sweep/scrub/piece.h"

#include <algorithm>

#include "sweep/backward.h"
#include "sweep/forward.h"

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
  Judge judge(parts_.index, parts_.store, parts_.clock, parts_.judge, this, &counts_);
  if (place->backward) {
    FENSI_RETURN_IF_ERROR(CompareTable(&judge, place));
    return judge.Wait(true);
  }
  Walker walker(parts_.store, parts_.clock, parts_.walk, &judge);
  Sweep sweep{parts_.index, parts_.store, parts_.clock, this, &counts_, &judge, &walker, parts_.tables, {}};
  sweep.source_rows.start_row = place->next;
  FENSI_RETURN_IF_ERROR(Forward(&sweep).Compare([](const mapping::Entry&) {}));
  place->next = walker.next();
  place->backward = place->next.empty();
  return judge.Wait(true);
}

/// The table of the place, or the next one that is there.
Status ScrubPiece::CompareTable(Judge* judge, ScrubPlace* place) {
  Walker walker(parts_.store, parts_.clock, parts_.walk, judge);
  Sweep sweep{parts_.index, parts_.store, parts_.clock, this, &counts_, judge, &walker, parts_.tables, {}};
  const Result<std::vector<std::string>> tables = parts_.tables->Existing(parts_.clock->WallMillis());
  FENSI_RETURN_IF_ERROR(tables.status());
  const auto table = std::lower_bound(tables->begin(), tables->end(), place->table);
  if (table != tables->end()) {
    BackwardOptions options;
    options.all_rows = false;
    const Status done =
        Backward(&sweep, options).CompareTable(*table, *table == place->table ? place->next : std::string());
    const bool gone = done.code() == StatusCode::kNotFound && parts_.index->table_is_template();
    if (!done.ok() && !gone) return done;
    place->table = *table;
    place->next = walker.next();
    if (!place->next.empty()) return {};
  }
  const bool last = table == tables->end() || table + 1 == tables->end();
  if (last) {
    place->sum.ended = parts_.clock->WallMillis();
  } else {
    place->table = *(table + 1);
  }
  return {};
}

}  // namespace fensi::sweep
