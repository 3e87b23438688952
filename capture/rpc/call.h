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

  /// The views are into `memory`, which the call shares with other frames that came in one piece with it.
  Call(std::shared_ptr<const void> memory, std::string_view request, std::string_view cells,
       std::chrono::milliseconds timeout, Answerer answerer)
      : memory_(std::move(memory)),
        request_(request),
        cells_(cells),
        timeout_(timeout),
        answerer_(std::move(answerer)) {}
  ~Call() {
    Answer(kDropped);
    ReleaseBytes();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Views into the call's memory, until ReleaseBytes.
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
    memory_.reset();
  }

 private:
  inline static const Status kDropped{StatusCode::kCancelled, "the capture is stopping"};  // needs no memory any more

  std::shared_ptr<const void> memory_;
  std::string_view request_;
  std::string_view cells_;
  const std::chrono::milliseconds timeout_;
  const Answerer answerer_;
  std::atomic<bool> answered_ = false;
};

/// What works on calls. Handle returns soon and may be called from any thread.
class CallHandler {
 public:
  virtual ~CallHandler() = default;
  virtual void Handle(std::shared_ptr<Call> call) = 0;
};

}  // namespace fensi::capture
