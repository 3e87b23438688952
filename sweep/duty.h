// How much of its time a scan may take, so that whoever serves it keeps room for others: halved when a page took much
// longer than pages use to, or the store was in trouble; a tenth more with each second that was quiet.
//
// Not thread-safe. Borrows the clock.
#pragma once

#include <chrono>
#include <deque>
#include <utility>

#include "base/clock.h"

namespace fensi::sweep {

class Duty {
 public:
  static constexpr double kLeast = 0.05;

  explicit Duty(Clock* clock) : clock_(clock), risen_(clock->SinceBoot()) {}

  /// A page was read in so much time. How long to rest now.
  std::chrono::milliseconds Took(std::chrono::milliseconds page);
  void Halve();
  /// 1: all of it.
  double share() const { return share_; }

 private:
  bool IsSlow(std::chrono::milliseconds page) const;
  void Rise(std::chrono::milliseconds now);

  Clock* const clock_;
  double share_ = 1;
  std::chrono::milliseconds risen_;
  std::deque<std::pair<std::chrono::milliseconds, std::chrono::milliseconds>> pages_;  // when, and how long
};

}  // namespace fensi::sweep
