// Tracks the offsets of one partition: which may be committed, and which are old. No Kafka in it, not thread-safe.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>

namespace fensi::consumer {

/// Invariant: committable() is the end of the longest run of batches, from the beginning, that are all done; their
/// order does not matter.
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

/// Remembers where the log ended at moments of the last `age`. Timestamps of messages do not tell how old a message is:
/// they come from clocks of other machines.
class AgedOffsets {
 public:
  using Moment = std::chrono::milliseconds;  // Clock::MonotonicNow

  explicit AgedOffsets(Moment age) : age_(age) {}

  /// The log ended at `end` then.
  void Note(Moment then, int64_t end) {
    if (!ends_.empty() && then - ends_.back().first < age_ / kSteps) return;
    ends_.emplace_back(then, end);
  }
  /// Every message below this offset was in the log `age` ago; 0: none is known to be.
  int64_t OldBelow(Moment now) {
    while (!ends_.empty() && now - ends_.front().first >= age_) {
      old_below_ = std::max(old_below_, ends_.front().second);
      ends_.pop_front();
    }
    return old_below_;
  }

 private:
  static constexpr int kSteps = 30;  // so many ends are remembered

  Moment age_;
  int64_t old_below_ = 0;
  std::deque<std::pair<Moment, int64_t>> ends_;
};

}  // namespace fensi::consumer
