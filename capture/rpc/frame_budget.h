// Bounds the bytes of all frames in hand. One thread (the server's); callbacks run on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>

namespace fensi::capture {

/// A frame takes its room piece by piece, as its bytes come, so that a length alone takes none. Two frames that are
/// half read could then wait for each other for ever: so when there is no room, one frame at a time may go beyond the
/// limit until it is given back. In all there are never more bytes in hand than the limit and one frame.
class FrameBudget {
 public:
  explicit FrameBudget(size_t limit) : limit_(limit) {}

  /// Names a frame for the calls below.
  uint64_t NewFrame() { return ++last_frame_; }
  /// Calls `granted` now or later, first come, first served. One piece of a frame at a time.
  void Reserve(uint64_t frame, size_t bytes, std::function<void()> granted) {
    waiting_.push_back({frame, bytes, std::move(granted)});
    if (frame == beyond_) return GrantLast();
    Grant();
  }
  /// Gives back everything that the frame was granted.
  void Release(uint64_t frame, size_t bytes) {
    used_ -= bytes;
    if (frame == beyond_) beyond_ = 0;
    Grant();
  }
  /// Forgets that the frame waits.
  void Forget(uint64_t frame) {
    std::erase_if(waiting_, [frame](const Waiting& waiting) { return waiting.frame == frame; });
  }
  /// Forgets who waits.
  void Clear() { waiting_.clear(); }
  size_t used() const { return used_; }

 private:
  struct Waiting {
    uint64_t frame;
    size_t bytes;
    std::function<void()> granted;
  };

  void GrantLast() {
    const Waiting last = std::move(waiting_.back());
    waiting_.pop_back();
    used_ += last.bytes;
    last.granted();
  }

  void Grant() {
    while (!waiting_.empty()) {
      const bool fits = used_ + waiting_.front().bytes <= limit_;
      if (!fits && beyond_ != 0) return;
      if (!fits) beyond_ = waiting_.front().frame;
      const Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      used_ += next.bytes;
      next.granted();
    }
  }

  const size_t limit_;
  size_t used_ = 0;
  uint64_t last_frame_ = 0;
  uint64_t beyond_ = 0;  // the frame that may go beyond the limit; 0: none does
  std::deque<Waiting> waiting_;
};

}  // namespace fensi::capture
