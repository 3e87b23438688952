// Numbers by the hash of a name, of which only rising counts: the newest that were raised one by one, of all others the
// highest together (H10). A collision only makes a number higher than it need be.
//
// Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fensi::indexer {

class FloorTable {
 public:
  static constexpr int64_t kNone = -1;  // below every number

  /// Two generations, as StateCache has: when the young one takes half of the bound, it becomes the old one.
  explicit FloorTable(size_t most_bytes);

  int64_t Find(uint64_t name) const;
  /// No number is above it.
  int64_t highest() const { return std::max({common_, young_.highest, old_.highest}); }
  /// True: nothing as high was raised for the name lately.
  bool Raise(uint64_t name, int64_t to);
  void RaiseAll(int64_t to) { common_ = common_ < to ? to : common_; }
  /// Keeps the bound, which Raise does not.
  void Evict();
  size_t size() const { return young_.used + old_.used; }

 private:
  struct Slot {
    uint64_t name = 0;  // 0: free
    int64_t number = kNone;
  };
  struct Generation {
    std::vector<Slot> slots;
    size_t used = 0;
    int64_t highest = kNone;
  };
  static Slot* SlotOf(uint64_t name, std::vector<Slot>* slots);
  static int64_t FindIn(uint64_t name, const Generation& generation);
  void Grow();

  const size_t most_used_;  // of a generation
  Generation young_;
  Generation old_;
  int64_t common_ = kNone;
};

}  // namespace fensi::indexer
