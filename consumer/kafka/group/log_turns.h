// Chooses the next log of a partition to work on: the stream, or the requests beside it. Pure.
//
// After an opening, requests that may have begun come first, then the stream to the end that it had, so that the work
// of the owner before is repeated in its order (M12). Then freely: the stream first; requests if nothing of the stream
// waits, or if as long as their last batch took, and at least 200 ms, have passed since it. So neither starves.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "consumer/kafka/group/lease.h"

namespace fensi::consumer {

/// Chooses how many messages a batch of several chunks may have. Pure; for one assignment's stream.
///
/// Each phase of a batch waits for the store, so a few large batches wait less. But a lost partition, or a stop, waits
/// for the batch in flight: it should take a second at most, by the slowest of the last three, and has at most twice
/// the messages of the batch before. If the last batches say that it would take longer, or nothing is known yet, a
/// batch is one chunk.
class BatchSizer {
 public:
  static constexpr PollTime kLongest{1'000};

  /// Messages of the next batch, at most `most`; fewer than a chunk has means one chunk.
  size_t records(size_t most) const {
    const size_t in_time = *std::min_element(in_time_.begin(), in_time_.end());
    return std::min({last_ * 2, in_time, most});
  }

  /// A batch of this many messages is done.
  void Note(size_t records, PollTime took) {
    const auto millis = static_cast<size_t>(std::max(took, PollTime(1)).count());
    in_time_[next_++ % in_time_.size()] = records * static_cast<size_t>(kLongest.count()) / millis;
    last_ = records;
  }

 private:
  std::array<size_t, 3> in_time_{};  // messages that each of the last batches would have had in that time
  size_t next_ = 0;
  size_t last_ = 0;
};

// Chooses the next log of a partition to work on.

class LogTurns {
 public:
  static constexpr PollTime kPause{200};

  enum class Turn {
    kNone,
    kStream,
    kRequests,
    kIdleRequests,  // requests that may wait for the streams of other partitions
  };
  /// The state of a log.
  struct View {
    bool queued = false;  // a batch of it waits
    int64_t next = 0;     // everything below was handed out, or is no message
  };

  /// For a partition without requests.
  LogTurns() = default;
  LogTurns(int64_t noted, int64_t stream_end) : noted_(noted), stream_end_(stream_end) {}

  /// The log that may be handed out while nothing is in flight.
  Turn Next(const View& stream, const View& requests, PollTime now) const {
    // M12: requests that may have begun come first.
    if (requests.next < noted_) return requests.queued ? Turn::kRequests : Turn::kNone;
    // M12: then the stream, to the end that it had at the opening.
    const bool stream_only = stream.next < stream_end_;
    if (requests.queued && !stream_only) {
      if (!stream.queued) return Turn::kIdleRequests;
      if (now >= due_) return Turn::kRequests;
    }
    return stream.queued ? Turn::kStream : Turn::kNone;
  }

  /// A batch of requests that was handed out at `from` is done.
  void RequestsDone(PollTime from, PollTime now) { due_ = now + std::max(kPause, now - from); }

 private:
  int64_t noted_ = 0;
  int64_t stream_end_ = 0;
  PollTime due_{0};
};

}  // namespace fensi::consumer
