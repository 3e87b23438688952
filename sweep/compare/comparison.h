// Proves that an index matches its source, or names the differences: compares forward, then backward, and confirms the
// suspects of both meanwhile. With a digest both tables are first read and summed, and buckets with equal sums are
// right: for two tables that do not change nothing is looked up. Writes nothing; any number of comparisons may run
// beside other work.
//
// Run blocks on the store until all is compared; one thread. Memory does not depend on the size of the tables. Any
// thread may read the counts meanwhile. Everything that is handed in outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/backward.h"
#include "sweep/compare/digest.h"
#include "sweep/compare/finding.h"
#include "sweep/compare/forward.h"
#include "sweep/compare/judge.h"
#include "sweep/compare/table_scanner.h"
#include "sweep/jobs/board.h"
#include "sweep/scan/table_list.h"

namespace fensi::sweep {

/// Compares some rows of the source, or some rows of one index table, and confirms their suspects: the findings are
/// certain, so a comparison may continue after these rows, in any process.
///
/// Blocks on the store and while suspects are confirmed; one thread. Compares only cells that identify their source
/// row.
struct ChunkDependencies {
  const mapping::Index* index;
  store::Store* store;
  Clock* clock;
  FindingSink* sink;
  Counts* counts;
  TableList* tables;      // tables that the source names, over all pieces
  TableScanOptions walk;  // with most_rows
  JudgeOptions judge;
};

struct ChunkRows {
  RowRange rows;         // `rows.table`: a table of the index; empty: the source
  RowRange source_rows;  // for index cells: only those of these source rows
};

struct ChunkResult {
  std::string next;    // first row that is left; empty: none
  int64_t walked = 0;  // rows
};

/// Everything that is handed in outlives the call.
Result<ChunkResult> CompareChunk(const ChunkDependencies& parts, const ChunkRows& what);

// Proves that an index matches its source, or names the differences.

struct CompareOptions {
  bool forward = true;
  bool backward = true;
  std::string start_row, stop_row;  // source rows from here, up to and without; empty: no bound
  int64_t as_of = INT64_MAX;        // younger units of the source and cells of the index are left out
  bool digest = false;              // both sides are read once and summed, and only uneven buckets are looked up
  size_t max_unknown = 1'000'000;   // suspects whose source row is unknown
  TableScanOptions walk;
  JudgeOptions judge;
};

/// True if the comparison covers both directions and all rows of both tables.
inline bool ComparesAll(const CompareOptions& options) {
  const bool all_rows = options.start_row.empty() && options.stop_row.empty() && options.as_of == INT64_MAX;
  return options.forward && options.backward && all_rows && options.walk.sample == 0;
}

class Comparison {
 public:
  Comparison(const mapping::Index* index, store::Store* store, Clock* clock, CompareOptions options, FindingSink* sink);

  /// Not ok: the comparison did not end, and the findings are incomplete.
  Status Run();
  /// True if Run ended because the differences are too many to list.
  bool too_many() const { return backward_.too_many(); }
  const Counts& counts() const { return counts_; }

 private:
  static JudgeOptions JudgeOptionsOf(const CompareOptions& options);
  static BackwardOptions BackwardOptionsOf(const CompareOptions& options);
  Status RunPasses();
  /// Returns whether all sums are even.
  Result<bool> SumUp();

  const CompareOptions options_;
  Counts counts_;
  Judge judge_;
  TableScanner walker_;
  TableList tables_;
  Sweep sweep_;
  Forward forward_;
  Backward backward_;
  std::optional<Digest> digest_;
};

}  // namespace fensi::sweep
