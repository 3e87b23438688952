// Computes rows per second between two lines of progress. One thread.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace fensi::operations {

class ShownRate {
 public:
  /// Begins now; `clock` outlives it.
  explicit ShownRate(Clock* clock) : clock_(clock), at_(clock->MonotonicNow()) {}

  /// True if this much time has passed since the last line.
  bool IsDue(std::chrono::milliseconds pause) const { return clock_->MonotonicNow() - at_ >= pause; }
  /// Rows per second since the last line; `rows`: total by now. Starts the next line.
  double Next(int64_t rows);

 private:
  Clock* const clock_;
  std::chrono::milliseconds at_;
  int64_t rows_ = 0;
};

}  // namespace fensi::operations
