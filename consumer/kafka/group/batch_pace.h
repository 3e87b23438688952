// How many messages a batch may have that is made of several chunks, because more of them wait. Pure; of one
// assignment's stream.
//
// Each phase of a batch waits for the store, so that a few large ones wait less. But who loses the partition, or is
// stopped, waits for the batch in hand: it should take a second at most, by the slowest of the last three, and has at
// most twice the messages of the one before. Where the last ones say that it would take longer, or nothing is known
// yet, a batch is one chunk.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

#include "consumer/kafka/group/poll_time.h"

namespace fensi::consumer {

class BatchPace {
 public:
  static constexpr PollTime kLongest{1'000};

  /// Of the next batch, at most `most`; fewer than a chunk has: one chunk.
  size_t records(size_t most) const {
    const size_t in_time = *std::min_element(in_time_.begin(), in_time_.end());
    return std::min({last_ * 2, in_time, most});
  }

  /// A batch of so many is done.
  void Note(size_t records, PollTime took) {
    const auto millis = static_cast<size_t>(std::max(took, PollTime(1)).count());
    in_time_[next_++ % in_time_.size()] = records * static_cast<size_t>(kLongest.count()) / millis;
    last_ = records;
  }

 private:
  std::array<size_t, 3> in_time_{};  // so many messages the last batches would have had in that time
  size_t next_ = 0;
  size_t last_ = 0;
};

}  // namespace fensi::consumer
