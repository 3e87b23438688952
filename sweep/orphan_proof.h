// M19 for cells that a comparison found before: which of their versions belong to no source row for certain, although
// the cells do not tell their source row.
//
// Blocks on the store while it goes through the source; one thread. Memory is bounded by the number of cells and by
// what they take. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/forward.h"
#include "sweep/index_cell.h"
#include "sweep/orphans.h"

namespace fensi::sweep {

struct OrphanProofOptions {
  std::chrono::milliseconds recheck{5'000};  // after which the index has followed whatever the source showed, if
  HasFollowed followed;                      // does not say when; empty: surely
  int64_t rows_per_second = 0;               // of the source; 0: as fast as it goes
  size_t max_cells = 1'000'000;
  std::function<Status()> go_on;
};

class OrphanProof {
 public:
  OrphanProof(const mapping::Index* index, store::Store* store, Clock* clock, OrphanProofOptions options);

  struct Versions {
    IndexCell cell;
    std::vector<int64_t> timestamps;  // visible, newest first
  };
  /// Of the cells that show some, those versions that were there before a pass over the source that met none of the
  /// cells, and still are when the index had time to follow the end of it. kRejected: the cells are too many.
  Result<std::vector<Versions>> Prove(const std::vector<IndexCell>& cells);

  /// Source units that give some of the cells now.
  Result<std::vector<SourceUnit>> Givers(const std::vector<IndexCell>& cells);

  /// What the cells show, in their order.
  Result<std::vector<Versions>> Read(const std::vector<IndexCell>& cells) const;

 private:
  Status Derive(const Forward::UseDerived& use);
  Status ReadTable(const std::vector<IndexCell>& cells, size_t begin, size_t end,
                   std::vector<Versions>* versions) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const OrphanProofOptions options_;
};

}  // namespace fensi::sweep
