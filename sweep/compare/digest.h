// Sums what the source gives and what the index has, each read once: buckets with equal sums need no lookup of single
// cells. A cell that is newer than everything that the source has in its bucket is looked up, too: it may be newer than
// its index can have put it.
//
// Memory does not depend on the size of the tables. One thread. The index outlives it.
#pragma once

#include <cstddef>
#include <vector>

#include "mapping/index.h"
#include "sweep/scan/source_unit.h"

namespace fensi::sweep {

/// Sums of hashes in 2^20 buckets: adds what one side gives and subtracts what the other has, in any order. An even
/// bucket holds the same on both sides, except by an accident of 128 bits.
///
/// Memory does not depend on how much is summed. One thread.
class BucketSums {
 public:
  static constexpr size_t kBuckets = size_t{1} << 20;

  BucketSums() : buckets_(kBuckets) {}

  /// `cell` selects the bucket, `content` is summed.
  void Add(const Hash& cell, const Hash& content, int64_t newest = INT64_MAX);
  void Take(const Hash& cell, const Hash& content, int64_t timestamp = INT64_MIN);

  /// True if the bucket is even, and no time that was subtracted is above all times that were added.
  bool IsEven(const Hash& cell) const { return buckets_[cell.low % kBuckets].IsEven(); }
  size_t uneven() const;

 private:
  struct Bucket {
    Hash sum;
    int64_t newest_added = INT64_MIN, newest_taken = INT64_MIN;
    bool IsEven() const { return sum == Hash() && newest_taken <= newest_added; }
  };
  std::vector<Bucket> buckets_;
};

// The sums of the source's entries and of the index's cells.

class Digest {
 public:
  explicit Digest(const mapping::Index* index) : index_(index) {}

  /// Adds an entry of the source; `newest` is the timestamp of the newest cell of its unit.
  void NoteDerived(const mapping::Entry& entry, int64_t newest) {
    sums_.Add(CellHash(entry), ContentHash(entry), newest);
  }
  /// Subtracts a cell of the index.
  void NoteFound(const mapping::Entry& cell, int64_t timestamp) {
    sums_.Take(CellHash(cell), ContentHash(cell), timestamp);
  }

  /// True if all cells of its bucket are right.
  bool IsEven(const mapping::Entry& cell) const { return sums_.IsEven(CellHash(cell)); }
  /// Buckets in which some cell differs, or changed between the two reads.
  size_t uneven() const { return sums_.uneven(); }

 private:
  Hash ContentHash(const mapping::Entry& cell) const;

  const mapping::Index* const index_;
  BucketSums sums_;
};

}  // namespace fensi::sweep
