// Runs one worker of a comparison that several processes share: compares ranges of the source, and of the index tables,
// piece by piece (sweep/compare/comparison.h), and stores its position and counts after its findings are stored. So
// each row is counted once, whichever process dies; a piece that was cut short is repeated.
//
// As RangeWorker. Memory: as one comparison, plus the findings of a piece, which are bounded.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mapping/index.h"
#include "store/retrying_store.h"
#include "sweep/compare/comparison.h"
#include "sweep/compare/finding_store.h"
#include "sweep/jobs/range_worker.h"

namespace fensi::sweep {

struct VerifyDependencies {
  const mapping::Index* index = nullptr;
  store::Store* store = nullptr;  // temporary errors are retried here
  const FindingStore* found = nullptr;
  RowRange source_rows;  // rows that are compared
  JudgeOptions judge;
  size_t piece_rows = 10'000;  // of the first piece
  /// Bounds of the differences and undecided rows that are kept: of all ranges together, and of one piece.
  int64_t most_found = 100'000;
  RangeDependencies range;
};

class VerifyWorker final : public RangeWorker, private FindingSink {
 public:
  static constexpr int64_t kMostUnmappable = 1'000;  // kept per range

  explicit VerifyWorker(VerifyDependencies parts);

 private:
  Status Work(RangeLease* seat) override;
  Status Add(const Finding& finding) override;
  Status WorkOnPiece(RangeLease* seat);
  Status TooMany() const;
  Result<ChunkResult> Compare(RangeLease* seat, int64_t rows_per_second, Counts* counts);
  /// Adapts the size of the next piece to its duration, or makes it smaller if it had too many suspects.
  void Adapt(std::chrono::milliseconds took);

  const VerifyDependencies parts_;
  std::unique_ptr<store::Store> store_;
  TableList tables_;
  size_t piece_rows_;
  std::vector<Finding> found_;
  int64_t unmappable_ = 0;  // kept for the range
  bool too_many_ = false;   // the piece had more than a worker may hold
};

/// Adds the counters stored in a place to `counts`. Any thread.
void AddCounts(const std::vector<int64_t>& place, Counts* counts);

}  // namespace fensi::sweep
