#include "sweep/compare/digest.h"

#include <algorithm>

namespace fensi::sweep {

void BucketSums::Add(const Hash& cell, const Hash& content, int64_t newest) {
  Bucket& bucket = buckets_[cell.low % kBuckets];
  bucket.sum.low += content.low;
  bucket.sum.high += content.high;
  bucket.newest_added = std::max(bucket.newest_added, newest);
}

void BucketSums::Take(const Hash& cell, const Hash& content, int64_t timestamp) {
  Bucket& bucket = buckets_[cell.low % kBuckets];
  bucket.sum.low -= content.low;
  bucket.sum.high -= content.high;
  bucket.newest_taken = std::max(bucket.newest_taken, timestamp);
}

size_t BucketSums::uneven() const {
  return static_cast<size_t>(
      std::count_if(buckets_.begin(), buckets_.end(), [](const Bucket& bucket) { return !bucket.IsEven(); }));
}

/// For a shared cell only the presence counts.
Hash Digest::ContentHash(const mapping::Entry& cell) const {
  Hasher hasher;
  for (const std::string_view part : {cell.table, cell.row, cell.family, cell.qualifier}) hasher.Add(part);
  // M18: a cell with another value differs.
  if (!index_->shared()) hasher.Add(cell.value);
  return hasher.hash();
}

}  // namespace fensi::sweep
