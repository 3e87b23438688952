// What a follower of bulk loads tells of its work: how much waits, and what begins and ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fensi::operations {

/// What waits, and how far it is. A value.
struct LoadProgress {
  int64_t waiting = 0;           // loaded regions that are recorded and not done
  std::optional<int64_t> since;  // when the oldest of them was met, milliseconds since the epoch
  int64_t rows = 0;              // of the current job, read by all processes
  std::string waits_for;         // why no row is read at the moment; empty: rows are read, or nothing waits
};

/// Called on the follower's thread; returns at once.
class LoadListener {
 public:
  virtual ~LoadListener() = default;
  virtual void Progress(const LoadProgress& progress) = 0;
  virtual void Begins(int64_t regions, size_t ranges) = 0;
  /// All images of the job are applied.
  virtual void Ends(int64_t rows) = 0;
};

}  // namespace fensi::operations
