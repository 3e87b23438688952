// A clock that stands still until whoever changes tables steps it: an index follows in time, however slow a thread is.
// Any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "base/clock.h"

namespace fensi::sweep {

class StepClock final : public Clock {
 public:
  std::chrono::milliseconds MonotonicNow() const override { return std::chrono::milliseconds(steps_); }
  int64_t WallMillis() const override { return 1'480'000'000'000 + steps_; }
  void Sleep(std::chrono::milliseconds) override { std::this_thread::yield(); }
  void Step() { ++steps_; }

 private:
  std::atomic<int64_t> steps_{0};
};

}  // namespace fensi::sweep
