// Waits at the start of a backfill for what comes by itself: --begin_wait_s for each thing. Blocks; one thread.
#pragma once

#include <chrono>
#include <string>

#include "base/clock.h"
#include "cli/flags/flags.h"
#include "cli/program/output.h"

namespace fensi::cli {

class BeginWait {
 public:
  explicit BeginWait(Clock* clock = SystemClock())
      : clock_(clock),
        until_(clock->SinceBoot() +
               (FLAGS_execute ? std::chrono::seconds(FLAGS_begin_wait_s) : std::chrono::seconds(0))) {}

  /// False: it has waited long enough. Otherwise it says once what for, and waits a moment.
  bool GoesOn(const std::string& what) {
    if (clock_->SinceBoot() >= until_) return false;
    if (!told_)
      Say("backfill: waits " + what + ", at most " + std::to_string(FLAGS_begin_wait_s) + " s (--begin_wait_s)");
    told_ = true;
    clock_->Sleep(std::chrono::milliseconds(200));
    return true;
  }

 private:
  Clock* const clock_;
  const std::chrono::milliseconds until_;
  bool told_ = false;
};

}  // namespace fensi::cli
