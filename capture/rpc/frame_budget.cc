#include "capture/rpc/frame_budget.h"

#include <algorithm>
#include <utility>

namespace fensi::capture {

uint64_t FrameBudget::Begin(const std::string& owner, std::function<void()> close) {
  const auto place = owners_.try_emplace(owner).first;
  frames_.emplace(++last_frame_, Frame{.owner = place, .close = std::move(close)});
  ++place->second.frames;
  return last_frame_;
}

void FrameBudget::Reserve(uint64_t frame, size_t bytes, std::function<void()> granted) {
  waiting_.push_back({frame, bytes, std::move(granted)});
  if (frame == beyond_) return Give(std::prev(waiting_.end()));
  Grant();
}

void FrameBudget::End(uint64_t frame) {
  const auto found = frames_.find(frame);
  if (found == frames_.end()) return;
  const auto owner = found->second.owner;
  used_ -= found->second.held;
  owner->second.held -= found->second.held;
  if (--owner->second.frames == 0) owners_.erase(owner);
  frames_.erase(found);
  std::erase_if(waiting_, [frame](const Waiting& waiting) { return waiting.frame == frame; });
  if (frame == beyond_) beyond_ = 0;
  Grant();
}

void FrameBudget::CloseStalled(std::chrono::milliseconds timeout) {
  const TimePoint since = std::chrono::steady_clock::now() - timeout;
  while (!waiting_.empty()) {
    Frame* const stalled = LongestStalled(since);
    if (stalled == nullptr) return;
    stalled->expected = false;          // once
    const auto close = stalled->close;  // ends the frame, which holds it
    close();
  }
}

FrameBudget::Frame* FrameBudget::LongestStalled(TimePoint since) {
  Frame* longest = nullptr;
  for (auto& [id, frame] : frames_) {
    if (!frame.expected || frame.since > since) continue;
    const size_t held = frame.owner->second.held;
    const size_t most = longest == nullptr ? 0 : longest->owner->second.held;
    if (longest == nullptr || held > most || (held == most && frame.since < longest->since)) longest = &frame;
  }
  return longest;
}

void FrameBudget::Grant() {
  while (!waiting_.empty()) {
    const auto next = std::min_element(waiting_.begin(), waiting_.end(), [this](const Waiting& a, const Waiting& b) {
      return std::pair(HeldBeside(a.frame), a.frame) < std::pair(HeldBeside(b.frame), b.frame);
    });
    const bool fits = used_ + next->bytes <= limit_;
    if (!fits && beyond_ != 0) return;
    if (!fits) beyond_ = next->frame;
    Give(next);
  }
}

void FrameBudget::Give(std::deque<Waiting>::iterator place) {
  const Waiting next = std::move(*place);
  waiting_.erase(place);
  Frame& frame = frames_.at(next.frame);
  used_ += next.bytes;
  frame.held += next.bytes;
  frame.owner->second.held += next.bytes;
  frame.expected = true;
  frame.since = std::chrono::steady_clock::now();
  next.granted();
}

}  // namespace fensi::capture
