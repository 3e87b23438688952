// Bounds the bytes of all frames in hand. One thread (the server's); callbacks run on it.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>

namespace fensi::capture {

/// First come, first served, so that a large frame is not overtaken for ever by small ones. A frame larger than the
/// whole budget is granted when nothing else is in hand.
class FrameBudget {
 public:
  explicit FrameBudget(size_t limit) : limit_(limit) {}

  /// Calls `granted` now or later. What was granted is given back by Release, once.
  void Reserve(size_t bytes, std::function<void()> granted) {
    waiting_.push_back({bytes, std::move(granted)});
    Grant();
  }
  void Release(size_t bytes) {
    used_ -= bytes;
    Grant();
  }
  /// Forgets who waits.
  void Clear() { waiting_.clear(); }
  size_t used() const { return used_; }

 private:
  struct Waiting {
    size_t bytes;
    std::function<void()> granted;
  };

  void Grant() {
    while (!waiting_.empty() && (used_ == 0 || used_ + waiting_.front().bytes <= limit_)) {
      const Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      used_ += next.bytes;
      next.granted();
    }
  }

  const size_t limit_;
  size_t used_ = 0;
  std::deque<Waiting> waiting_;
};

}  // namespace fensi::capture
