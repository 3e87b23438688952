// Time that a test moves. Thread-safe.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace fensi::consumer {

/// Stands still but for Advance and Sleep, which does not block.
class FakeClock final : public Clock {
 public:
  std::chrono::milliseconds SinceBoot() const override { return std::chrono::milliseconds(now_); }
  int64_t WallMillis() const override { return 1'700'000'000'000 + now_; }
  void Sleep(std::chrono::milliseconds duration) override { now_ += duration.count(); }
  void Advance(std::chrono::milliseconds duration) { now_ += duration.count(); }

 private:
  std::atomic<int64_t> now_ = 1'000'000;
};

/// The machine's clock, put forward by Advance as by a suspension.
class SkippingClock final : public Clock {
 public:
  std::chrono::milliseconds SinceBoot() const override { return Skipped() + SystemClock()->SinceBoot(); }
  int64_t WallMillis() const override { return skipped_ + SystemClock()->WallMillis(); }
  void Sleep(std::chrono::milliseconds duration) override { SystemClock()->Sleep(duration); }
  void Advance(std::chrono::milliseconds duration) { skipped_ += duration.count(); }

 private:
  std::chrono::milliseconds Skipped() const { return std::chrono::milliseconds(skipped_); }

  std::atomic<int64_t> skipped_ = 0;
};

}  // namespace fensi::consumer
