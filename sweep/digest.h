// What the source gives and what the index has, each read once and summed: where both come to the same, nothing needs
// to be looked up cell by cell.
//
// Memory does not depend on the size of the tables. One thread. The index outlives it.
#pragma once

#include "mapping/index.h"
#include "sweep/bucket_sums.h"

namespace fensi::sweep {

class Digest {
 public:
  explicit Digest(const mapping::Index* index) : index_(index) {}

  /// The source gives this entry.
  void NoteDerived(const mapping::Entry& entry) { sums_.Add(CellHash(entry), ContentHash(entry)); }
  /// The index has this cell.
  void NoteFound(const mapping::Entry& cell) { sums_.Take(CellHash(cell), ContentHash(cell)); }

  /// All cells of its bucket are as they should.
  bool IsEven(const mapping::Entry& cell) const { return sums_.IsEven(CellHash(cell)); }
  /// Buckets of which some cell differs, or moved between both readings.
  size_t uneven() const { return sums_.uneven(); }

 private:
  Hash ContentHash(const mapping::Entry& cell) const;

  const mapping::Index* const index_;
  BucketSums sums_;
};

}  // namespace fensi::sweep
