// What one assignment remembers of states, so that they need not be read again. Dies with the assignment (M7).
//
// StateCache: rows written last, within a bound of bytes. SeenFilter: whether a key may have been seen at all, for an
// index that began empty (M13); a false "yes" only costs a read. Neither is thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "indexer/state/state_table.h"

namespace fensi::indexer {

/// Two generations: when the young one is half of the bound, it becomes the old one and the old one is dropped.
class StateCache {
 public:
  explicit StateCache(size_t max_bytes) : max_bytes_(max_bytes) {}
  /// Moves the row out, if it is there.
  bool Take(const std::string& row, RowWork* out);
  /// The row's flags must be clean: what is cached equals what is stored.
  void Put(RowWork row);

 private:
  const size_t max_bytes_;
  size_t young_bytes_ = 0;
  std::unordered_map<std::string, RowWork> young_;
  std::unordered_map<std::string, RowWork> old_;
};

/// Bloom filter with four probes; 8 MiB give below 1 % false answers up to about six million keys.
class SeenFilter {
 public:
  static constexpr size_t kDefaultBytes = size_t{8} << 20;
  explicit SeenFilter(size_t bytes) : words_(bytes / sizeof(uint64_t)) {}
  bool MayContain(uint64_t hash) const;
  void Add(uint64_t hash);

 private:
  std::vector<uint64_t> words_;
};

/// What one partition of `partitions` may use of `total` bytes. A fresh one has a filter too, both together within its
/// part: a topic of many partitions costs no more than one of few.
struct StateMemoryShare {
  size_t cache_bytes = 0;
  size_t filter_bytes = 0;
};
StateMemoryShare ShareOf(size_t total, size_t partitions, bool fresh);

/// Hashes of the keys that the filter knows: a row, and a unit of it.
uint64_t SeenHash(std::string_view row);
uint64_t SeenHash(std::string_view row, std::string_view unit_key);

}  // namespace fensi::indexer
