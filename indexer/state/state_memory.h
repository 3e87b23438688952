// What one assignment remembers of states, so that they need not be read again. Dies with the assignment (M7).
//
// StateCache: units written last, within a bound of bytes. SeenFilter: whether a key may have been seen at all, for an
// index that began empty (M13); a false "yes" only costs a read. Neither is thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "indexer/state/unit.h"

namespace fensi::indexer {

/// Keeps units one by one, and apart from them the family markers that the column units of a row share: what a batch
/// does not touch costs it nothing, however wide the row. What is cached equals what is stored.
/// Two generations: when the young one is half of the bound, it becomes the old one and the old one is dropped.
class StateCache {
 public:
  explicit StateCache(size_t max_bytes) : max_bytes_(max_bytes) {}

  /// Moves the content of a unit out, if it is there; `out` keeps its row, column and, for a column unit, families.
  bool TakeUnit(std::string_view row, std::string_view unit_key, Unit* out);
  bool TakeFamilies(std::string_view row, std::shared_ptr<FamilyStates>* out);
  void PutUnit(std::string_view row, std::string_view unit_key, Unit unit);
  void PutFamilies(std::string_view row, std::shared_ptr<FamilyStates> families);

 private:
  struct Kept {
    Unit unit;  // or only its families
    size_t bytes = 0;
  };
  using Generation = std::unordered_map<std::string, Kept>;

  bool Take(Unit* out);
  void Put(Unit unit);

  const size_t max_bytes_;
  size_t young_bytes_ = 0;
  Generation young_;
  Generation old_;
  std::string key_;  // reused
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
