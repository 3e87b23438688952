// When the topic itself is looked at again. Pure; the poll thread's.
#pragma once

#include <chrono>

#include "base/status.h"

namespace fensi::consumer {

/// Each second while something is wrong, because nothing tells that an idle broker is back. And after a hole in the
/// log, which may be one that Kafka compacts since today: once a minute, but then until there is an answer.
class TopicLook {
 public:
  using Time = std::chrono::milliseconds;
  static constexpr Time kPause{1000};
  static constexpr Time kHolePause{60'000};

  void SawHole() { hole_ = true; }

  /// Whether to ask now.
  bool Due(Time now, bool trouble) {
    if (hole_ && !unanswered_ && now - last_hole_ >= kHolePause) {
      hole_ = false;
      unanswered_ = true;
      last_hole_ = now;
    }
    if ((!trouble && !unanswered_) || now - last_ < kPause) return false;
    last_ = now;
    return true;
  }

  void Answered(const Status& status) { unanswered_ = unanswered_ && !status.ok(); }

 private:
  bool hole_ = false;        // not looked at
  bool unanswered_ = false;  // looked at
  Time last_hole_{-kHolePause};
  Time last_{-kPause};
};

}  // namespace fensi::consumer
