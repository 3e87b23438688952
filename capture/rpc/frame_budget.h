// Bounds the bytes of all frames in memory, and shares them among the senders. One thread (the server's); callbacks run
// on it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace fensi::capture {

/// A frame reserves its room piece by piece, as its bytes arrive, so that a length alone reserves none. Two frames that
/// are half read could then wait for each other for ever: so if there is no room, one frame at a time may exceed the
/// limit until it ends. In all there are never more bytes than the limit and one frame.
///
/// The frame of the owner with the fewest bytes comes first, then the oldest frame: many frames of one sender delay no
/// other sender, and a frame that continues is before those that began later. Room of frames whose bytes do not arrive
/// is reclaimed if others wait for it.
class FrameBudget {
 public:
  explicit FrameBudget(size_t limit) : limit_(limit) {}

  /// Registers a frame for the calls below. `owner`: its sender. `close` ends the frame before it returns.
  uint64_t Begin(const std::string& owner, std::function<void()> close);
  /// Calls `granted` now or later; then the piece is expected to arrive. One piece of a frame at a time.
  void Reserve(uint64_t frame, size_t bytes, std::function<void()> granted);
  /// The granted piece has arrived.
  void Came(uint64_t frame) { frames_.at(frame).expected = false; }
  /// Returns everything that the frame was granted, and forgets it. Does nothing for an unknown frame.
  void End(uint64_t frame);
  /// Closes frames whose piece has been expected for that long, as many as necessary until no frame waits for room:
  /// first those of the owner with the most bytes, and of these the one that has been expected longest.
  void CloseStalled(std::chrono::milliseconds timeout);

  /// Any thread.
  size_t used() const { return used_; }
  size_t frames() const { return frames_.size(); }

 private:
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Owner {
    size_t held = 0;
    size_t frames = 0;
  };
  using Owners = std::map<std::string, Owner>;
  struct Frame {
    Owners::iterator owner;
    std::function<void()> close;
    size_t held = 0;
    bool expected = false;  // a piece, since:
    TimePoint since{};
  };
  struct Waiting {
    uint64_t frame;
    size_t bytes;
    std::function<void()> granted;
  };

  void Grant();
  void Give(std::deque<Waiting>::iterator place);
  size_t HeldBeside(uint64_t frame) const { return frames_.at(frame).owner->second.held; }
  Frame* LongestStalled(TimePoint since);

  const size_t limit_;
  std::atomic<size_t> used_ = 0;
  uint64_t last_frame_ = 0;
  uint64_t beyond_ = 0;  // the frame that may exceed the limit; 0: none
  Owners owners_;
  std::map<uint64_t, Frame> frames_;
  std::deque<Waiting> waiting_;
};

}  // namespace fensi::capture
