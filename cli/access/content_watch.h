// Files that a daemon uses and an operator exchanges: looked at now and then, and used when they say something else.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/status.h"

namespace fensi::cli {

/// Files that are not right, perhaps because they are being exchanged, leave everything as it is. One thread.
template <typename Content>
class ContentWatch {
 public:
  struct Parts {
    std::function<Result<std::optional<Content>>()> read;
    std::function<Status(const Content&)> use;
    /// Ok: something new is in use; else why the former still is, once for each reason.
    std::function<void(const Status&)> tell;
  };

  /// `now`: what is in use; absent: nothing is, and nothing is looked at.
  ContentWatch(std::optional<Content> now, Parts parts, Clock* clock)
      : parts_(std::move(parts)), clock_(clock), now_(std::move(now)), next_(clock->SinceBoot() + kPause) {}

  /// Call it often. Blocks on the file system, every ten seconds.
  void Tick() {
    if (!now_.has_value() || clock_->SinceBoot() < next_) return;
    next_ = clock_->SinceBoot() + kPause;
    const Status status = Look();
    if (status.message() == told_) return;
    told_ = status.message();
    if (!status.ok()) parts_.tell(status);
  }

 private:
  static constexpr std::chrono::milliseconds kPause{10'000};

  Status Look() {
    const Result<std::optional<Content>> found = parts_.read();
    if (!found.ok()) return found.status();
    if (!found->has_value() || *found == now_) return Status();
    FENSI_RETURN_IF_ERROR(parts_.use(**found));
    now_ = *found;
    parts_.tell(Status());
    return Status();
  }

  const Parts parts_;
  Clock* const clock_;
  std::optional<Content> now_;
  std::chrono::milliseconds next_;
  std::string told_;
};

}  // namespace fensi::cli
