// Keeps strangers from filling the log: of what connections cause, so many lines of a severity a minute are told; how
// many were left out is told with the next one.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "capture/notices.h"

namespace fensi::capture {

/// Thread-safe.
class NoticeLimit {
 public:
  NoticeLimit(Notices notices, Clock* clock, int lines_a_minute)
      : notices_(std::move(notices)), clock_(clock), lines_a_minute_(lines_a_minute) {}

  void Tell(Notice notice) {
    ++counts_[static_cast<size_t>(notice.kind)];
    std::string left_out;
    {
      const MutexLock lock(mu_);
      Minute& minute = minutes_[notice.severity()];
      const auto now = clock_->SinceBoot();
      if (now >= minute.end) minute = {now + std::chrono::minutes(1), 0, minute.left_out};
      if (++minute.lines > lines_a_minute_) {
        ++minute.left_out;
        return;
      }
      if (minute.left_out > 0) left_out = " (" + std::to_string(minute.left_out) + " such lines were left out before)";
      minute.left_out = 0;
    }
    notice.words += left_out;
    notices_(notice);
  }

  /// Of all that were to be told, those that were left out, too.
  NoticeCounts counts() const {
    NoticeCounts counts{};
    for (size_t i = 0; i < counts.size(); ++i) counts[i] = counts_[i];
    return counts;
  }

 private:
  struct Minute {
    std::chrono::milliseconds end{0};
    int lines = 0;
    int64_t left_out = 0;
  };
  const Notices notices_;
  Clock* const clock_;
  const int lines_a_minute_;
  std::array<std::atomic<int64_t>, kNoticeRules.size()> counts_{};
  Mutex mu_;
  std::map<Severity, Minute> minutes_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::capture
