// What the source gives and what the index has, each read once and summed: where both come to the same, nothing needs
// to be looked up cell by cell. A cell that is newer than all that the source has of its bucket is looked up, too: it
// may be newer than its index can have put it.
//
// Memory does not depend on the size of the tables. One thread. The index outlives it.
#pragma once

#include "mapping/index.h"
#include "sweep/bucket_sums.h"

namespace fensi::sweep {

class Digest {
 public:
  explicit Digest(const mapping::Index* index) : index_(index) {}

  /// The source gives this entry; `newest` is the timestamp of the newest cell of its unit.
  void NoteDerived(const mapping::Entry& entry, int64_t newest) {
    sums_.Add(CellHash(entry), ContentHash(entry), newest);
  }
  /// The index has this cell.
  void NoteFound(const mapping::Entry& cell, int64_t timestamp) {
    sums_.Take(CellHash(cell), ContentHash(cell), timestamp);
  }

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
