// Waits at the start of a backfill, for a bounded time per condition. Blocks; one thread.
#pragma once

#include <chrono>
#include <string>

#include "base/clock.h"
#include "operations/console/console.h"

namespace fensi::operations {

class BeginWait {
 public:
  explicit BeginWait(std::chrono::seconds most, Clock* clock = SystemClock())
      : clock_(clock), most_(most), until_(clock->MonotonicNow() + most) {}

  /// False: it has waited long enough. Otherwise reports the reason once, and waits a moment.
  bool GoesOn(const std::string& what) {
    if (clock_->MonotonicNow() >= until_) return false;
    if (!told_) Say("backfill: waits " + what + ", at most " + std::to_string(most_.count()) + " s (--begin_wait_s)");
    told_ = true;
    clock_->Sleep(std::chrono::milliseconds(200));
    return true;
  }

 private:
  Clock* const clock_;
  const std::chrono::seconds most_;
  const std::chrono::milliseconds until_;
  bool told_ = false;
};

}  // namespace fensi::operations
