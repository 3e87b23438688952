// What all connections of a server have in common.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "capture/cluster_view.h"
#include "capture/rpc/call.h"
#include "capture/rpc/frame_budget.h"
#include "capture/rpc/kerberos.h"
#include "capture/rpc/notice_limit.h"
#include "capture/rpc/tls.h"

namespace fensi::capture {

struct ConnectionLimits {
  size_t max_frame_bytes = size_t{256} << 20;
  size_t max_calls = 32;  // of one connection at a time, and replies that it did not take
  std::chrono::milliseconds handshake_timeout{10'000};
  std::chrono::milliseconds stall_timeout{60'000};  // of each piece of a frame that has begun
  std::chrono::milliseconds room_timeout{20'000};   // of a frame that waits for room
  std::chrono::milliseconds idle_timeout{180'000};  // HBase closes after 120 s itself
  std::chrono::milliseconds call_timeout{60'000};   // where the caller does not say
};

/// Outlives them.
struct ConnectionContext {
  boost::asio::io_context& io;
  const ConnectionLimits limits;
  FrameBudget budget;
  CallHandler* handler;
  const std::function<ClusterView()> cluster;
  NoticeLimit notices;
  std::shared_ptr<TlsContext> tls;                   // of connections that begin now; null: they are plain
  std::shared_ptr<const KerberosAcceptor> kerberos;  // null: nobody says who he is
  /// Connections that finished the handshake; read by any thread.
  std::atomic<int64_t> ready_now = 0;
  std::atomic<int64_t> ready_ever = 0;
  /// Those that ended before they said who they are.
  std::atomic<int64_t> nameless_ever = 0;
};

}  // namespace fensi::capture
