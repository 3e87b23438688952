// One call of a region server, from the received frame to the reply.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"
#include "capture/rpc/timer.h"

namespace fensi::capture {

/// Owned by the handler that works on it; a call that is destroyed without an answer has failed. Answer may be called
/// from any thread; the first answer counts, and the server gives one itself before the caller gives up.
class Call {
 public:
  /// Must not throw, and neither must the release of the frame's memory: both end in C code or destructors.
  using Answerer = std::function<void(const Status&)>;

  /// The views are into `memory`, which the call shares with other frames of the same read. `server`: "10.1.0.5:45678".
  Call(std::shared_ptr<const void> memory, std::string_view request, std::string_view cells, std::string server,
       std::chrono::milliseconds timeout, Answerer answerer)
      : memory_(std::move(memory)),
        request_(request),
        cells_(cells),
        server_(std::move(server)),
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
  /// Address of the region server that sent the call, for messages.
  const std::string& server() const { return server_; }
  /// How long the server waits for the answer from the moment it hands the call out.
  std::chrono::milliseconds timeout() const { return timeout_; }
  /// True if the caller has its answer: the rest of the work is useless.
  bool answered() const { return answered_; }

  /// Ok: everything of this call is durable. Otherwise the region server sends it again.
  void Answer(const Status& status) {
    if (!answered_.exchange(true)) answerer_(status);
  }
  /// For the handler that works on the call.
  void ReleaseBytes() {
    request_ = cells_ = {};
    memory_.reset();
  }

 private:
  inline static const Status kDropped{StatusCode::kCancelled, "the capture is stopping"};  // needs no memory

  std::shared_ptr<const void> memory_;
  std::string_view request_;
  std::string_view cells_;
  const std::string server_;
  const std::chrono::milliseconds timeout_;
  const Answerer answerer_;
  std::atomic<bool> answered_ = false;
};

/// Handles calls. Handle returns soon and may be called from any thread.
class CallHandler {
 public:
  virtual ~CallHandler() = default;
  virtual void Handle(std::shared_ptr<Call> call) = 0;
};

/// The unanswered calls of one connection, each with its deadline.
///
/// Does not own the calls; their handlers do. Lives on the server's thread.
class PendingCalls {
 public:
  explicit PendingCalls(boost::asio::io_context& io) : io_(io) {}

  /// The id of the next call.
  uint64_t NewId() { return next_id_++; }
  /// From now on the call is answered with a failure after the deadline.
  void Add(uint64_t id, const std::shared_ptr<Call>& call, std::chrono::milliseconds deadline);
  void Remove(uint64_t id) { calls_.erase(id); }
  /// Fails all calls, so that their handlers may stop.
  void Drop();

  size_t size() const { return calls_.size(); }
  bool empty() const { return calls_.empty(); }

 private:
  struct Pending {
    explicit Pending(boost::asio::io_context& io) : deadline(io) {}
    Timer deadline;
    std::weak_ptr<Call> call;
  };

  boost::asio::io_context& io_;
  std::map<uint64_t, std::unique_ptr<Pending>> calls_;
  uint64_t next_id_ = 0;
};

}  // namespace fensi::capture
