// A clock for examples, which have timestamps 1, 2, 3 and must not expire by the TTL of their families.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace fensi::operations {

/// The machine's clock, except for its wall time, which stays where it was set: at first at the epoch. Thread-safe.
class FrozenWallClock : public Clock {
 public:
  std::chrono::milliseconds MonotonicNow() const override { return SystemClock()->MonotonicNow(); }
  int64_t WallMillis() const override { return wall_; }
  void Sleep(std::chrono::milliseconds duration) override { SystemClock()->Sleep(duration); }
  void Set(int64_t wall_millis) { wall_ = wall_millis; }

 private:
  std::atomic<int64_t> wall_ = 0;
};

}  // namespace fensi::operations
