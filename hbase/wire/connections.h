// The connections of one cluster's clients: one per server and service, opened on demand.
//
// Thread-safe; no method blocks.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "base/mutex.h"
#include "hbase/wire/connection.h"

namespace fensi::hbase {

class Connections {
 public:
  struct Options {
    std::string user;
    std::chrono::milliseconds connect_timeout{5'000};
    size_t most_in_flight = 32;
    size_t most_answer_bytes = 256 << 20;
    uint32_t most_calls = 2'000'000'000;
    /// Makes the handshake for a service; null: SimpleHandshake().
    std::function<Handshake(const std::string& service)> handshake;
  };

  /// kUnavailable: no thread can be started.
  static Result<std::unique_ptr<Connections>> Start(const Options& options);
  /// Closes all of them.
  ~Connections();

  /// Lookups have a connection of their own: a late one ends its connection, and calls may take longer.
  enum class Use { kCalls, kLookups };

  /// Returns the open connection, or a new one.
  std::shared_ptr<Connection> To(const std::string& host, int port, const std::string& service, Use use = Use::kCalls);
  /// True if the server has answered a call of its last connection for calls.
  bool HasAnswered(const std::string& host, int port, const std::string& service) const;
  /// True if any server has answered any call.
  bool AnyAnswered() const;
  /// By "HOST:PORT"; of region servers, masters and all other servers that were called.
  std::map<std::string, ServerCounts> Counts() const;

 private:
  using Key = std::tuple<std::string, int, std::string, Use>;

  Connections(std::shared_ptr<EventLoop> loop, const Options& options) : loop_(std::move(loop)), options_(options) {}

  const std::shared_ptr<EventLoop> loop_;
  const Options options_;
  mutable Mutex mu_;
  std::map<Key, std::shared_ptr<Connection>> connections_ ABSL_GUARDED_BY(mu_);
  std::map<std::string, std::shared_ptr<ServerStats>> stats_ ABSL_GUARDED_BY(mu_);  // by address
  mutable bool any_answered_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::hbase
