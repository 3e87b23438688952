// The calls of one connection that have no answer yet, each with its deadline.
//
// Holds no call: that is for who works on it. Lives on the server's thread.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>

#include "capture/rpc/call.h"
#include "capture/rpc/timer.h"

namespace fensi::capture {

class PendingCalls {
 public:
  explicit PendingCalls(boost::asio::io_context& io) : io_(io) {}

  /// Of a call that is to be added.
  uint64_t NewId() { return next_id_++; }
  /// From now on it is answered with a failure after the deadline.
  void Add(uint64_t id, const std::shared_ptr<Call>& call, std::chrono::milliseconds deadline);
  void Remove(uint64_t id) { calls_.erase(id); }
  /// Nobody waits for them any more: all have failed, and who works on them may stop.
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
