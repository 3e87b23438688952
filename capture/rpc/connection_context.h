// Shared state of all connections of a server.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "capture/notices.h"
#include "capture/rpc/call.h"
#include "capture/rpc/frame_budget.h"
#include "capture/rpc/kerberos.h"
#include "capture/rpc/stream.h"
#include "capture/rpc/timer.h"

namespace fensi::capture {

struct ConnectionLimits {
  size_t max_frame_bytes = size_t{256} << 20;
  size_t max_calls = 32;  // of one connection at a time, and replies that were not taken
  std::chrono::milliseconds handshake_timeout{10'000};
  std::chrono::milliseconds stall_timeout{60'000};  // for each piece of a frame that has begun
  std::chrono::milliseconds room_timeout{20'000};   // for a frame that waits for room
  std::chrono::milliseconds idle_timeout{180'000};  // HBase closes after 120 s itself
  std::chrono::milliseconds call_timeout{60'000};   // if the caller does not set one
};

/// Outlives the connections.
struct ConnectionContext {
  boost::asio::io_context& io;
  const ConnectionLimits limits;
  FrameBudget budget;
  CallHandler* handler;
  const std::function<ClusterView()> cluster;
  NoticeLimit notices;
  std::shared_ptr<TlsContext> tls;                   // for new connections; null: no TLS
  std::shared_ptr<const KerberosAcceptor> kerberos;  // null: no authentication
  /// Connections that finished the handshake; read by any thread.
  std::atomic<int64_t> ready_now = 0;
  std::atomic<int64_t> ready_ever = 0;
  /// Connections that ended before the handshake was complete.
  std::atomic<int64_t> nameless_ever = 0;
};

// The bytes of one or several frames, and their share of the budget.

/// The last owner, on any thread, returns the share once the memory is free.
class FrameMemory {
 public:
  /// `room`: its number in the budget.
  FrameMemory(ConnectionContext* context, uint64_t room, std::string bytes)
      : context_(context), room_(room), bytes_(std::move(bytes)) {}
  ~FrameMemory() {
    std::string().swap(bytes_);
    PostSurely(context_->io, [this] { return [context = context_, room = room_] { context->budget.End(room); }; });
  }
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  const std::string& bytes() const { return bytes_; }

 private:
  ConnectionContext* const context_;
  const uint64_t room_;
  std::string bytes_;
};

/// A frame without its length, inside memory that it may share.
struct Frame {
  std::shared_ptr<const FrameMemory> memory;
  std::string_view bytes;
};

}  // namespace fensi::capture
