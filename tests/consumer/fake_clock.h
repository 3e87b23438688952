// Time that a test moves. Thread-safe; Sleep moves it too and does not block.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace fensi::consumer {

class FakeClock final : public Clock {
 public:
  std::chrono::milliseconds SinceBoot() const override { return std::chrono::milliseconds(now_); }
  int64_t WallMillis() const override { return 1'700'000'000'000 + now_; }
  void Sleep(std::chrono::milliseconds duration) override { now_ += duration.count(); }
  void Advance(std::chrono::milliseconds duration) { now_ += duration.count(); }

 private:
  std::atomic<int64_t> now_ = 1'000'000;
};

}  // namespace fensi::consumer
