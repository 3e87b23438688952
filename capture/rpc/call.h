// One call of a region server, from the frame that came to the reply that goes.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace fensi::capture {

/// Owned by whoever works on it; destroyed without an answer it counts as failed. Answer may be called from any thread;
/// the first answer counts, and the server gives one itself when the caller would give up.
class Call {
 public:
  /// Does not throw, and neither does what is called when the frame's memory is free: both end in C code or
  /// destructors.
  using Answerer = std::function<void(const Status&)>;

  /// The request stands in the frame from `request_at` on, the cells from `cells_at` to its end. `released` is called
  /// once, when the frame's memory is free.
  Call(
      std::string frame, size_t request_at, size_t request_bytes, size_t cells_at, std::chrono::milliseconds timeout,
      Answerer answerer, std::function<void()> released = [] {})
      : frame_(std::move(frame)),
        request_(std::string_view(frame_).substr(request_at, request_bytes)),
        cells_(std::string_view(frame_).substr(cells_at)),
        timeout_(timeout),
        answerer_(std::move(answerer)),
        released_(std::move(released)) {}
  ~Call() {
    Answer(kDropped);
    ReleaseBytes();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Views into the call's own memory, until ReleaseBytes.
  std::string_view request() const { return request_; }
  std::string_view cells() const { return cells_; }
  /// How long the server waits for the answer from the moment it hands the call out.
  std::chrono::milliseconds timeout() const { return timeout_; }
  /// What is left to do is of no use any more: the caller has its answer.
  bool answered() const { return answered_; }

  /// Ok: everything of this call is durable. Otherwise the region server sends it again.
  void Answer(const Status& status) {
    if (!answered_.exchange(true)) answerer_(status);
  }
  /// Of the one who works on the call.
  void ReleaseBytes() {
    request_ = cells_ = {};
    std::string().swap(frame_);
    if (const auto released = std::exchange(released_, nullptr)) released();
  }

 private:
  inline static const Status kDropped{StatusCode::kCancelled, "the capture is stopping"};  // needs no memory any more

  std::string frame_;
  std::string_view request_;
  std::string_view cells_;
  const std::chrono::milliseconds timeout_;
  const Answerer answerer_;
  std::function<void()> released_;
  std::atomic<bool> answered_ = false;
};

/// What works on calls. Handle returns soon and may be called from any thread.
class CallHandler {
 public:
  virtual ~CallHandler() = default;
  virtual void Handle(std::shared_ptr<Call> call) = 0;
};

}  // namespace fensi::capture
