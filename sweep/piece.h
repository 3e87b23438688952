// Some rows of the source, or some rows of one index table, compared and judged to the end: what was found of them is
// certain, so that a comparison may go on behind them, whoever does it.
//
// Blocks on the store and while suspects are judged; one thread. Only cells that tell their source row are compared.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/finding.h"
#include "sweep/job.h"
#include "sweep/judge.h"
#include "sweep/table_list.h"
#include "sweep/walker.h"

namespace fensi::sweep {

struct PieceParts {
  const mapping::Index* index;
  store::Store* store;
  Clock* clock;
  FindingSink* sink;
  Counts* counts;
  TableList* tables;  // that the source names: of all pieces
  WalkOptions walk;   // with most_rows
  JudgeOptions judge;
};

struct PieceRows {
  RowRange rows;         // `rows.table`: of the index; empty: of the source
  RowRange source_rows;  // of index cells: only those of these source rows
};

struct PieceEnd {
  std::string next;    // the first row that is left; empty: none is
  int64_t walked = 0;  // rows
};

/// Everything that is handed in outlives the call.
Result<PieceEnd> ComparePiece(const PieceParts& parts, const PieceRows& what);

}  // namespace fensi::sweep
