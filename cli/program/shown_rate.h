// How many rows a second went by between two lines of progress. One thread.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"

namespace fensi::cli {

class ShownRate {
 public:
  /// Begins now; `clock` outlives it.
  explicit ShownRate(Clock* clock) : clock_(clock), at_(clock->SinceBoot()) {}

  /// So much time went by since the last line.
  bool IsDue(std::chrono::milliseconds pause) const { return clock_->SinceBoot() - at_ >= pause; }
  /// Rows a second since the last line, of which there are `rows` by now; the next line begins.
  double Next(int64_t rows);

 private:
  Clock* const clock_;
  std::chrono::milliseconds at_;
  int64_t rows_ = 0;
};

}  // namespace fensi::cli
