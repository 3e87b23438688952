// Watches files that a daemon uses and an operator replaces: reads them periodically, and uses new content.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/status.h"

namespace fensi::operations {

/// Invalid files, perhaps because they are being replaced, change nothing. One thread.
template <typename Content>
class ContentWatch {
 public:
  struct Parts {
    std::function<Result<std::optional<Content>>()> read;
    std::function<Status(const Content&)> use;
    /// Ok: new content is in use; else why the old content still is, once for each reason. With the content in use.
    std::function<void(const Status&, const Content&)> tell;
  };

  /// `now`: the content in use; absent: none is, and nothing is read.
  ContentWatch(std::optional<Content> now, Parts parts, Clock* clock)
      : parts_(std::move(parts)), clock_(clock), now_(std::move(now)), next_(clock->MonotonicNow() + kPause) {}

  /// Call it often. Blocks on the file system, every ten seconds.
  void Tick() {
    if (!now_.has_value() || clock_->MonotonicNow() < next_) return;
    next_ = clock_->MonotonicNow() + kPause;
    const Status status = Look();
    if (status.message() == told_) return;
    told_ = status.message();
    if (!status.ok()) parts_.tell(status, *now_);
  }

 private:
  static constexpr std::chrono::milliseconds kPause{10'000};

  Status Look() {
    FENSI_ASSIGN_OR_RETURN(const std::optional<Content> found, parts_.read());
    if (!found.has_value() || found == now_) return Status();
    FENSI_RETURN_IF_ERROR(parts_.use(*found));
    now_ = found;
    parts_.tell(Status(), *now_);
    return Status();
  }

  const Parts parts_;
  Clock* const clock_;
  std::optional<Content> now_;
  std::chrono::milliseconds next_;
  std::string told_;
};

}  // namespace fensi::operations
