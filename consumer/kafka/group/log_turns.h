// Which log of a partition is worked on next: the stream, or the requests beside it. Pure.
//
// After an opening requests that may have begun go first, then the stream to the end that it had, so that the work of
// the owner before is repeated in its order (M12). Then freely: the stream first; requests when nothing of the stream
// waits, or when as long as their last batch took, and at least 200 ms, have passed since it: neither starves.
#pragma once

#include <algorithm>
#include <cstdint>

#include "consumer/kafka/group/poll_time.h"

namespace fensi::consumer {

class LogTurns {
 public:
  static constexpr PollTime kPause{200};

  enum class Turn {
    kNone,
    kStream,
    kRequests,
    kIdleRequests,  // that may wait for the streams of other partitions
  };
  /// What is known of a log.
  struct View {
    bool queued = false;  // a batch of it waits
    int64_t next = 0;     // everything below was handed out, or is no message
  };

  /// Without requests.
  LogTurns() = default;
  LogTurns(int64_t noted, int64_t stream_end) : noted_(noted), stream_end_(stream_end) {}

  /// What may be handed out while nothing is in hand.
  Turn Next(const View& stream, const View& requests, PollTime now) const {
    if (requests.next < noted_) return requests.queued ? Turn::kRequests : Turn::kNone;
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
