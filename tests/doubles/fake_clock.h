// Time that a test moves. Thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/clock.h"

namespace fensi {

/// Stands still but for Advance, Set and Sleep, which does not block. The wall shows what the time since boot is.
class FakeClock final : public Clock {
 public:
  explicit FakeClock(int64_t now_millis = 1'700'000'000'000) : now_(now_millis) {}

  std::chrono::milliseconds MonotonicNow() const override { return std::chrono::milliseconds(now_); }
  int64_t WallMillis() const override { return now_; }
  void Sleep(std::chrono::milliseconds duration) override {
    now_ += duration.count();
    int64_t longest = longest_sleep_;
    while (longest < duration.count() && !longest_sleep_.compare_exchange_weak(longest, duration.count())) {
    }
  }

  void Advance(std::chrono::milliseconds duration) { now_ += duration.count(); }
  void Set(int64_t now_millis) { now_ = now_millis; }
  std::chrono::milliseconds longest_sleep() const { return std::chrono::milliseconds(longest_sleep_); }

 private:
  std::atomic<int64_t> now_;
  std::atomic<int64_t> longest_sleep_ = 0;
};

/// The machine's clock, put forward by Advance as by a suspension. A machine that stands still for seconds, as a busy
/// one does, moves it by kMost only: what a test says of time holds there too.
class SkippingClock final : public Clock {
 public:
  SkippingClock() : ticker_([this] { Tick(); }) {}
  ~SkippingClock() override {
    ended_ = true;
    ticker_.join();
  }

  std::chrono::milliseconds MonotonicNow() const override {
    const std::lock_guard lock(mu_);
    return now_ + SinceTick();
  }
  int64_t WallMillis() const override {
    return SystemClock()->WallMillis() + (MonotonicNow() - SystemClock()->MonotonicNow()).count();
  }
  void Sleep(std::chrono::milliseconds duration) override { SystemClock()->Sleep(duration); }
  void Advance(std::chrono::milliseconds duration) {
    const std::lock_guard lock(mu_);
    now_ += duration;
  }

 private:
  static constexpr std::chrono::milliseconds kTick{20};
  static constexpr std::chrono::milliseconds kMost{200};

  std::chrono::milliseconds SinceTick() const { return std::min(SystemClock()->MonotonicNow() - ticked_, kMost); }
  void Tick() {
    for (; !ended_; SystemClock()->Sleep(kTick)) {
      const std::lock_guard lock(mu_);
      now_ += SinceTick();
      ticked_ = SystemClock()->MonotonicNow();
    }
  }

  mutable std::mutex mu_;
  std::chrono::milliseconds ticked_ = SystemClock()->MonotonicNow();  // guarded by mu_
  std::chrono::milliseconds now_ = ticked_;                           // guarded by mu_
  std::atomic<bool> ended_ = false;
  std::thread ticker_;
};

}  // namespace fensi
