// The socket of one connection to a gateway, with a deadline for each call: neither a silent server nor a slow one
// holds a call longer.
//
// Thrift's own socket has a timeout for each read and write, and a wait cannot be ended. Throws TTransportException, as
// Thrift expects; used by one thread.
#pragma once

#include <thrift/transport/TVirtualTransport.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/status.h"
#include "hbase/wire/dial.h"

namespace fensi::store {

/// Thrown if a connection cannot or must not be established, with the status code for the person.
class ConnectionRefused final : public std::runtime_error {
 public:
  explicit ConnectionRefused(Status status) : std::runtime_error(status.message()), status_(std::move(status)) {}
  const Status& status() const { return status_; }

 private:
  Status status_;
};

// The socket of one connection to a gateway, with a deadline for each call.

struct CallLimit {
  std::chrono::milliseconds left{0};
  std::chrono::milliseconds asked{0};  // for the message
};

class GatewaySocket final : public apache::thrift::transport::TVirtualTransport<GatewaySocket> {
 public:
  using Duration = std::chrono::milliseconds;

  GatewaySocket(std::string host, int port, const std::shared_ptr<apache::thrift::TConfiguration>& configuration);

  /// Begins a call. `go_on` is called ten times a second while the call waits; its error ends the call (ended_by).
  /// Null: no check.
  void StartCall(const CallLimit& limit, const std::function<Status()>* go_on);
  /// The error of `go_on` that ended the call, or ok.
  const Status& ended_by() const { return ended_by_; }

  /// Connects within `timeout` and the deadline of the call.
  void Connect(Duration timeout);
  /// Waits until `done` returns true, which waits at most as long as its argument; throws `late` at the deadline of the
  /// call.
  void WaitFor(const std::function<bool(Duration most)>& done, const std::string& late) { Wait(done, deadline_, late); }
  /// True if the gateway has closed the connection; returns the bytes that it sent before. Between two calls, without
  /// waiting.
  bool Ended(std::string* came) const;
  bool isOpen() const override { return static_cast<bool>(socket_); }
  void close() override;

  uint32_t read(uint8_t* buffer, uint32_t length);
  void write(const uint8_t* buffer, uint32_t length);

 private:
  using Time = std::chrono::steady_clock::time_point;

  void Wait(const std::function<bool(Duration most)>& done, Time deadline, const std::string& late);
  /// Throws the error of `go_on`.
  void AskToGoOn();
  /// Waits until the socket can do `events`; false: the deadline passed.
  bool Ready(int socket, short events, Time deadline);
  /// As Ready within the deadline of the call, at which it throws.
  void Await(short events);

  const std::string host_;
  const int port_;
  hbase::Socket socket_;
  Duration asked_{0};  // of the call
  Time deadline_;
  const std::function<Status()>* go_on_ = nullptr;
  Status ended_by_;
};

}  // namespace fensi::store
