// A piece of a pass: some rows of the source, or some rows of an index table, compared and judged to the end. Nothing
// of it counts unless it comes to its end, so that a piece that was cut short is simply done again.
//
// Blocks on the store and while suspects are judged; one thread. Memory: as `fensi verify`, with at most kMostRows
// suspects, and at most kMostFindings findings.
#pragma once

#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/finding.h"
#include "sweep/job.h"
#include "sweep/judge.h"
#include "sweep/scrub/place.h"
#include "sweep/table_list.h"
#include "sweep/walker.h"

namespace fensi::sweep {

class ScrubPiece final : public FindingSink {
 public:
  static constexpr size_t kMostRows = 10'000;
  static constexpr size_t kMostFindings = 500;

  struct Parts {
    const mapping::Index* index;
    store::Store* store;
    Clock* clock;
    TableList* tables;  // that the source names: of all pieces of the pass
    WalkOptions walk;   // with most_rows
    JudgeOptions judge;
  };
  explicit ScrubPiece(const Parts& parts) : parts_(parts) {}

  /// From `place` on. The place behind it; `sum.ended` is set when it was the last of the pass.
  Result<ScrubPlace> Run(ScrubPlace place);
  /// Differences, the first of them.
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
