// Tracks which offset of one partition may be committed. No Kafka in it, not thread-safe.
//
// Invariant: committable() is the end of the longest run of batches, from the beginning, that are all done; their order
// does not matter.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>

namespace fensi::consumer {

class OffsetTracker {
 public:
  explicit OffsetTracker(int64_t begin) : committable_(begin) {}

  /// The next batch, which ends before `next_offset`, was handed out. Offsets grow.
  void HandedOut(int64_t next_offset) { open_.emplace(next_offset, false); }

  /// The batch that ends before `next_offset` is done; unknown batches and repetitions change nothing.
  void Done(int64_t next_offset) {
    const auto batch = open_.find(next_offset);
    if (batch == open_.end()) return;
    batch->second = true;
    while (!open_.empty() && open_.begin()->second) {
      committable_ = open_.begin()->first;
      open_.erase(open_.begin());
    }
  }

  /// There is no message before `offset` except those handed out.
  void NothingBefore(int64_t offset) {
    if (open_.empty()) committable_ = std::max(committable_, offset);
  }

  int64_t committable() const { return committable_; }

 private:
  int64_t committable_;
  std::map<int64_t, bool> open_;  // end of each batch that is after committable_ -> done
};

}  // namespace fensi::consumer
