// Finds cells that no source row gives, if the cells do not identify their row (M19). Adds up everything that the
// source gives and subtracts everything that the index has, in buckets; cells in an uneven bucket are suspects. A
// second pass over the source excludes what the source gives.
//
// Memory does not depend on the size of the tables. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "mapping/entry_list.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/compare/digest.h"
#include "sweep/compare/forward.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {

/// kRejected: a comparison cannot prove so many cells that do not name their source row.
Status TooManyUnknownCells(size_t count);

class OrphanDetector {
 public:
  explicit OrphanDetector(size_t max_suspects);

  void NoteDerived(const mapping::Entry& entry) { sums_.Add(CellHash(entry), CellHash(entry)); }
  void NoteFound(const mapping::Entry& cell) { sums_.Take(CellHash(cell), CellHash(cell)); }
  /// True if every bucket is even: everything that was found was derived.
  bool AllMatched() const { return sums_.uneven() == 0; }
  bool MayBeOrphan(const mapping::Entry& cell) const { return !sums_.IsEven(CellHash(cell)); }

  /// False: too many suspects.
  bool AddSuspect(const mapping::Entry& cell, int64_t timestamp);
  size_t suspects() const { return suspects_.size(); }
  bool Has(const mapping::Entry& cell) const;
  /// The source has this entry: no longer a suspect.
  void Strike(const mapping::Entry& entry);

  struct Suspect {
    IndexCell cell;
    int64_t timestamp = 0;  // of the version that was seen
  };
  /// The suspects that were not excluded.
  std::vector<Suspect> Left() const;

 private:
  const size_t max_suspects_;
  BucketSums sums_;
  std::unordered_multimap<uint64_t, Suspect> suspects_;
  size_t held_bytes_ = 0;
};

/// Proves which versions of given cells belong to no source row, although the cells do not identify their row (M19).
///
/// Blocks on the store while it scans the source; one thread. Memory is bounded by the number of cells and their size.
/// Everything that is handed in outlives it.
struct OrphanProofOptions {
  std::chrono::milliseconds recheck{5'000};  // after which the index has followed, if
  IsCaughtUp followed;                       // does not say when; empty: surely
  int64_t rows_per_second = 0;               // of the source; 0: no bound
  size_t max_cells = 1'000'000;
  std::function<Status()> go_on;
};

class OrphanVerifier {
 public:
  OrphanVerifier(const mapping::Index* index, store::Store* store, Clock* clock, OrphanProofOptions options);

  struct Versions {
    IndexCell cell;
    std::vector<int64_t> timestamps;  // visible, newest first
  };
  /// Returns, for cells that are visible, the versions that were there before a pass over the source that gave none of
  /// the cells, and that are still there when the index had time to follow the end of the pass. kRejected: too many
  /// cells.
  Result<std::vector<Versions>> Prove(const std::vector<IndexCell>& cells);

  /// Source units that give some of the cells now.
  Result<std::vector<SourceUnit>> ProducingRows(const std::vector<IndexCell>& cells);

  /// The visible versions of the cells, in their order.
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
