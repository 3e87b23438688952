// How a partition stands, in a word: out of where it is now and when it moved last.
//
// Pure; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "consumer/stream_state.h"

namespace fensi::cli {

class PartitionMoves {
 public:
  /// Each second. Those that are not there any more are forgotten.
  void Note(const std::vector<consumer::PartitionState>& partitions, std::chrono::milliseconds since_boot);

  /// ok: all of the log is applied; behind: some waits; stalled: some waits, and nothing was applied for a minute;
  /// paused: the index is; unknown: nobody has told for ten seconds where the log ends.
  const char* WordOf(const consumer::PartitionState& partition, bool paused, int64_t wall_millis,
                     std::chrono::milliseconds since_boot) const;

 private:
  struct Move {
    int64_t applied;
    std::chrono::milliseconds at;  // or when it was at the end of its log last
  };
  std::map<int32_t, Move> moves_;
};

}  // namespace fensi::cli
