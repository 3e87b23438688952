// One worker of a comparison that several processes share: compares ranges of the source, and of the index tables,
// piece by piece (sweep/piece.h), and says how far it is, with what it counted, when what it found is kept. So each row
// is counted once, whoever dies when; a piece that was cut short is done again.
//
// As RangeWorker. Memory: as one comparison, and what a piece finds, which is bounded.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mapping/index.h"
#include "store/retrying_store.h"
#include "sweep/found_rows.h"
#include "sweep/piece.h"
#include "sweep/range_worker.h"

namespace fensi::sweep {

struct VerifyParts {
  const mapping::Index* index = nullptr;
  store::Store* store = nullptr;  // what it cannot do for now is repeated here
  const FoundRows* found = nullptr;
  RowRange source_rows;  // that are compared
  JudgeOptions judge;
  size_t piece_rows = 10'000;  // of the first piece
  /// Differences, and undecided rows, that are kept of all ranges together; and of one piece.
  int64_t most_found = 100'000;
  RangeParts range;
};

class VerifyWorker final : public RangeWorker, private FindingSink {
 public:
  static constexpr int64_t kMostUnmappable = 1'000;  // that are kept of a range

  explicit VerifyWorker(VerifyParts parts);

 private:
  Status Work(Seat* seat) override;
  Status Add(const Finding& finding) override;
  Status WorkOnPiece(Seat* seat);
  Status TooMany() const;
  Result<PieceEnd> Compare(Seat* seat, int64_t rows_per_second, Counts* counts);
  /// The next piece takes neither too long nor too short, or less where it was too much.
  void Adapt(std::chrono::milliseconds took);

  const VerifyParts parts_;
  std::unique_ptr<store::Store> store_;
  TableList tables_;
  size_t piece_rows_;
  std::vector<Finding> found_;
  int64_t unmappable_ = 0;  // of the range, that were kept
  bool too_many_ = false;   // the piece had more than a worker holds
};

/// Of all that a place counted. Read by any thread.
void AddCounts(const std::vector<int64_t>& place, Counts* counts);

}  // namespace fensi::sweep
