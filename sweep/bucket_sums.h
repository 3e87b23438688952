// Sums of hashes in 2^20 buckets: what one side gives is added and what the other has is taken away, in any order. A
// bucket that comes out even holds the same on both sides, but by an accident of 128 bits.
//
// Memory does not depend on how much is summed. One thread.
#pragma once

#include <cstddef>
#include <vector>

#include "sweep/index_cell.h"

namespace fensi::sweep {

class BucketSums {
 public:
  static constexpr size_t kBuckets = size_t{1} << 20;

  BucketSums() : buckets_(kBuckets) {}

  /// `cell` says in which bucket, `content` what is summed.
  void Add(const Hash& cell, const Hash& content, int64_t newest = INT64_MAX);
  void Take(const Hash& cell, const Hash& content, int64_t timestamp = INT64_MIN);

  /// No time that was taken is above all that were added.
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

}  // namespace fensi::sweep
