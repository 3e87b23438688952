// Time for examples, which are stamped 1, 2, 3 and must not expire by the TTL of their families.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace fensi::cli {

/// The machine's clock, but for its wall, which stands where it was set: at first at the epoch. Thread-safe.
class StandingWall : public Clock {
 public:
  std::chrono::milliseconds SinceBoot() const override { return SystemClock()->SinceBoot(); }
  int64_t WallMillis() const override { return wall_; }
  void Sleep(std::chrono::milliseconds duration) override { SystemClock()->Sleep(duration); }
  void Set(int64_t wall_millis) { wall_ = wall_millis; }

 private:
  std::atomic<int64_t> wall_ = 0;
};

}  // namespace fensi::cli
