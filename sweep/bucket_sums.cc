#include "sweep/bucket_sums.h"

#include <algorithm>

namespace fensi::sweep {

void BucketSums::Add(const Hash& cell, const Hash& content) {
  Hash& bucket = buckets_[cell.low % kBuckets];
  bucket.low += content.low;
  bucket.high += content.high;
}

void BucketSums::Take(const Hash& cell, const Hash& content) { Add(cell, {-content.low, -content.high}); }

size_t BucketSums::uneven() const {
  return static_cast<size_t>(
      std::count_if(buckets_.begin(), buckets_.end(), [](const Hash& bucket) { return bucket != Hash(); }));
}

}  // namespace fensi::sweep
