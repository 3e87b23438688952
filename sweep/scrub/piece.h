// Compares a piece of a pass: some rows of the source, or some rows of an index table. Nothing of a piece counts before
// its end, so a piece that was cut short is repeated.
//
// Blocks on the store and while suspects are confirmed; one thread. Memory: as `fensi verify`, with at most kMostRows
// suspects, and at most kMostFindings findings.
#pragma once

#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/finding.h"
#include "sweep/compare/judge.h"
#include "sweep/compare/table_scanner.h"
#include "sweep/jobs/board.h"
#include "sweep/scan/table_list.h"
#include "sweep/scrub/lease.h"

namespace fensi::sweep {

class ScrubPiece final : public FindingSink {
 public:
  static constexpr size_t kMostRows = 10'000;
  static constexpr size_t kMostFindings = 500;

  struct Parts {
    const mapping::Index* index;
    store::Store* store;
    Clock* clock;
    TableList* tables;      // tables that the source names, over all pieces of the pass
    TableScanOptions walk;  // with most_rows
    JudgeOptions judge;
  };
  explicit ScrubPiece(const Parts& parts) : parts_(parts) {}

  /// Compares from `place` on. Returns the position after the piece; `sum.ended` is set if it was the last of the pass.
  Result<ScrubPlace> Run(ScrubPlace place);
  /// The first differences.
  const std::vector<Finding>& findings() const { return findings_; }
  const Counts& counts() const { return counts_; }

 private:
  Status Add(const Finding& finding) override;
  Status Compare(ScrubPlace* place);
  Status CompareTable(ScrubPlace* place);
  Result<std::string> CompareRows(const RowRange& rows);

  const Parts parts_;
  Counts counts_;
  std::vector<Finding> findings_;
};

}  // namespace fensi::sweep
