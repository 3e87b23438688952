// Time as an interface, so that back-off, deadlines and expiry are tested without waiting.
#pragma once

#include <chrono>
#include <cstdint>

namespace fensi {

/// Thread-safe. Implementations: SystemClock() and test doubles.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Time since boot on a clock that also counts while the machine or the process is suspended (CLOCK_BOOTTIME).
  virtual std::chrono::milliseconds MonotonicNow() const = 0;
  /// Milliseconds since the epoch, the convention of HBase's timestamps.
  virtual int64_t WallMillis() const = 0;
  /// Blocks the calling thread.
  virtual void Sleep(std::chrono::milliseconds duration) = 0;
};

/// The machine's clock; lives as long as the process.
Clock* SystemClock();

}  // namespace fensi
