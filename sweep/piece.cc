#include "sweep/piece.h"

#include "sweep/backward.h"
#include "sweep/forward.h"

namespace fensi::sweep {
namespace {

/// A table of a period that is gone has no cells.
Status CompareTable(Sweep* sweep, const RowRange& rows) {
  BackwardOptions options;
  options.all_rows = false;
  const Status done = Backward(sweep, options).CompareTable(rows.table, rows);
  const bool gone = done.code() == StatusCode::kNotFound && sweep->index->table_is_template();
  return gone ? Status() : done;
}

}  // namespace

Result<PieceEnd> ComparePiece(const PieceParts& parts, const PieceRows& what) {
  Judge judge(parts.index, parts.store, parts.clock, parts.judge, parts.sink, parts.counts);
  Walker walker(parts.store, parts.clock, parts.walk, &judge);
  Sweep sweep{parts.index, parts.store, parts.clock, parts.sink, parts.counts, &judge, &walker, parts.tables, {}};
  sweep.as_of = parts.judge.as_of;
  sweep.newest_put = parts.judge.newest_put;
  const bool forward = what.rows.table.empty();
  const RowRange& source_rows = forward ? what.rows : what.source_rows;
  sweep.source_rows.start_row = source_rows.start;
  sweep.source_rows.stop_row = source_rows.stop;
  FENSI_RETURN_IF_ERROR(forward ? Forward(&sweep).Compare([](const mapping::Entry&) {})
                                : CompareTable(&sweep, what.rows));
  FENSI_RETURN_IF_ERROR(judge.Wait(true));
  return PieceEnd{walker.next(), static_cast<int64_t>(walker.walked())};
}

}  // namespace fensi::sweep
