#include "indexer/state/layout.h"

#include <xxhash.h>

namespace fensi::indexer {

std::string BucketOf(std::string_view row, int bits) {
  const uint64_t hash = XXH3_64bits(row.data(), row.size()) >> (64 - kMostBucketBits);
  const uint64_t bucket = hash >> (kMostBucketBits - bits) << (kMostBucketBits - bits);
  return {static_cast<char>(bucket >> 8), static_cast<char>(bucket)};
}

}  // namespace fensi::indexer
