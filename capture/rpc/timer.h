// A timer whose handler is never called after it was restarted or stopped.
//
// Asio's own timer cannot cancel an expiry that is due already: its handler is called with success after a cancel, and
// after the next wait of the same timer. Here no handler is called once Start, Stop or the destructor was called.
//
// One thread (the server's).
#pragma once

#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "capture/notices.h"

namespace fensi::capture {

class Timer {
 public:
  explicit Timer(boost::asio::io_context& io) : timer_(io) {}
  ~Timer() { Stop(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Calls `then` after that time, in place of an earlier wait. After bad_alloc nothing is called.
  template <typename Then>
  void Start(std::chrono::milliseconds after, Then then) {
    Stop();
    timer_.expires_after(after);
    timer_.async_wait(
        [current = wait_, mine = *wait_, then = std::move(then)](const boost::system::error_code&) mutable {
          if (*current == mine) then();
        });
  }
  void Stop() {
    ++*wait_;
    timer_.cancel();
  }

 private:
  boost::asio::steady_timer timer_;
  const std::shared_ptr<uint64_t> wait_ = std::make_shared<uint64_t>(0);  // shared with handlers that are due
};

// Posts a step to the server's thread that must not be lost.

/// Any thread. Waits for memory if there is none: without this step a call would stay without its answer, or its room
/// would never be returned.
template <typename MakeStep>
void PostSurely(boost::asio::io_context& io, const MakeStep& make_step) noexcept {
  constexpr std::chrono::milliseconds kPause{10};
  while (true) {
    try {
      return boost::asio::post(io, make_step());
    } catch (const std::bad_alloc&) {
      std::this_thread::sleep_for(kPause);
    }
  }
}

// Limits log lines that untrusted clients cause: so many lines of a severity per minute; the next line reports how many
// were dropped.

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
      const auto now = clock_->MonotonicNow();
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

  /// Counts all notices, including dropped ones.
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
