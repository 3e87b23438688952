// Caches states for one assignment, so that they need not be read again. Ends with the assignment (M7).
//
// StateCache: the units that were written last, within a bound of bytes. SeenFilter: whether a key may have been seen
// at all, for an index that began empty (M13); a false "yes" only costs a read. Neither is thread-safe.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "indexer/state/unit.h"

namespace fensi::indexer {

/// Keeps units one by one, and separately the family markers that the column units of a row share: columns that a batch
/// does not touch cost nothing, however wide the row. A cached unit equals the stored one, and is kept as the same
/// bytes, a fifth of the unit's size, one after the other, so that eviction costs nothing. Two generations: when the
/// young one has half of the bound, it becomes the old one and the old one is dropped.
class StateCache {
 public:
  explicit StateCache(size_t max_bytes);

  /// Takes a unit out, if it is cached; `out` keeps its row and column and, for a column unit without markers of its
  /// own, its families.
  bool TakeUnit(std::string_view row, std::string_view unit_key, Unit* out);
  bool TakeFamilies(std::string_view row, FamilyStates* out);
  void PutUnit(std::string_view row, std::string_view unit_key, const Unit& unit);
  void PutFamilies(std::string_view row, const FamilyStates& families);

 private:
  struct Kept {
    int64_t version = kNoTime;
    std::span<char> room;
    uint32_t state_bytes = 0;
    uint32_t doubt_bytes = 0;  // after the state's bytes
    bool taken = false;        // the unit was taken out
  };
  /// Keys and bytes are in the blocks.
  struct Generation {
    absl::flat_hash_map<std::string_view, Kept> kept;
    std::vector<std::unique_ptr<char[]>> blocks;
    std::span<char> free;  // rest of the last block
    size_t bytes = 0;      // of all blocks, and of `kept`
  };

  /// Takes out the entry of key_; null: none.
  const Kept* Take();
  /// Stores bytes_ under key_; the last `doubt_bytes` of them are the unit's ambiguity.
  void Put(int64_t version, size_t doubt_bytes);
  std::span<char> Room(size_t bytes);
  Kept* Place(size_t bytes);

  const size_t max_bytes_;
  const size_t block_bytes_;
  Generation young_;
  Generation old_;
  std::string key_;    // reused
  std::string bytes_;  // reused
};

/// Bloom filter whose six probes are in one cache line; 8 MiB give below 1 % false answers up to about six million
/// keys. Its pages cost memory when a key comes to them: an index without events needs none.
class SeenFilter {
 public:
  static constexpr size_t kDefaultBytes = size_t{8} << 20;
  explicit SeenFilter(size_t bytes);
  bool MayContain(uint64_t hash) const;
  void Add(uint64_t hash);

 private:
  struct alignas(64) Block : std::array<uint64_t, 8> {};

  struct Unmap {
    size_t bytes;
    void operator()(Block* blocks) const;
  };

  static std::unique_ptr<Block[], Unmap> Zeroes(size_t bytes);
  size_t BlockOf(uint64_t hash) const;
  static uint64_t BitsOf(uint64_t hash);

  const size_t count_;
  std::unique_ptr<Block[], Unmap> blocks_;
};

/// What one partition of `partitions` may use of `total` bytes. A fresh partition has a filter, too, within the same
/// share: a topic of many partitions costs no more than one of few.
struct StateMemoryShare {
  size_t cache_bytes = 0;
  size_t filter_bytes = 0;
};
StateMemoryShare ShareOf(size_t total, size_t partitions, bool fresh);

/// Hashes of the keys that the filter knows: a row, and a unit of it.
uint64_t SeenHash(std::string_view row);
uint64_t SeenHash(uint64_t of_row, std::string_view unit_key);

}  // namespace fensi::indexer
