// When the topic itself is looked at again. Pure; the poll thread's.
#pragma once

#include <chrono>
#include <optional>

#include "base/status.h"

namespace fensi::consumer {

/// Each second while something is wrong, because nothing tells that an idle broker is back. And after a hole in the
/// log, which may be one that Kafka compacts since today: once a minute, but then until there is an answer. Else now
/// and then, since a person may change how long it keeps messages.
class TopicLook {
 public:
  static constexpr std::chrono::seconds kPause{1};
  static constexpr std::chrono::minutes kHolePause{1};
  static constexpr std::chrono::minutes kNowAndThen{10};

  void SawHole() { hole_ = true; }

  /// Whether to ask now.
  bool Due(std::chrono::milliseconds now, bool trouble) {
    if (!last_whole_) last_whole_ = now;  // it was looked at before
    const bool old = now - *last_whole_ >= kNowAndThen;
    if (hole_ && !unanswered_ && now - last_hole_ >= kHolePause) {
      hole_ = false;
      unanswered_ = true;
      last_hole_ = now;
    }
    if ((!trouble && !unanswered_ && !old) || now - last_ < kPause) return false;
    last_ = now;
    last_whole_ = now;
    return true;
  }

  /// There is a hole of which nobody has told yet why.
  bool unanswered() const { return unanswered_; }
  void Answered(const Status& status) { unanswered_ = unanswered_ && !status.ok(); }

 private:
  bool hole_ = false;        // not looked at
  bool unanswered_ = false;  // looked at
  std::chrono::milliseconds last_hole_{-kHolePause};
  std::chrono::milliseconds last_{-kPause};
  std::optional<std::chrono::milliseconds> last_whole_;
};

}  // namespace fensi::consumer
