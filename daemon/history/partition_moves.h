// Classifies a partition in a word, from its current position and the time of its last progress.
//
// Pure; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "consumer/change_source.h"

namespace fensi::daemon {

class PartitionMoves {
 public:
  /// Call each second. Forgets partitions that are gone.
  void Note(const std::vector<consumer::PartitionState>& partitions, std::chrono::milliseconds since_boot);

  /// ok: all of the log is applied; behind: some messages wait; stalled: some wait, and nothing was applied for a
  /// minute; paused: the index is; unknown: no log end was reported for ten seconds.
  const char* WordOf(const consumer::PartitionState& partition, bool paused, int64_t wall_millis,
                     std::chrono::milliseconds since_boot) const;

 private:
  struct Move {
    int64_t applied;
    std::chrono::milliseconds at;  // or of the last time at the end of its log
  };
  std::map<int32_t, Move> moves_;
};

}  // namespace fensi::daemon
