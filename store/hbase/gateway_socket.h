// The bytes of one connection to a gateway, with a deadline for each call: neither a silent server nor one that drips
// holds a call longer.
//
// Thrift's own socket has a timeout for each read and write, and nothing that ends a wait. Throws
// TTransportException, as Thrift wants it; used by one thread.
#pragma once

#include <thrift/transport/TVirtualTransport.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"

struct addrinfo;

namespace fensi::store {

struct CallLimit {
  std::chrono::milliseconds left{0};
  std::chrono::milliseconds asked{0};  // what the person reads
};

class GatewaySocket final : public apache::thrift::transport::TVirtualTransport<GatewaySocket> {
 public:
  using Duration = std::chrono::milliseconds;

  GatewaySocket(std::string host, int port, const std::shared_ptr<apache::thrift::TConfiguration>& configuration);
  ~GatewaySocket() override;

  /// Begins a call. `go_on` is asked ten times a second while it waits; its error ends the
  /// call (ended_by). Null: nobody is asked.
  void StartCall(const CallLimit& limit, const std::function<Status()>* go_on);
  /// Why `go_on` ended the call, or ok.
  const Status& ended_by() const { return ended_by_; }

  /// Within `timeout` and the deadline of the call.
  void Connect(Duration timeout);
  /// Until `done`, which waits at most as long as it is told to, says so; throws `late` at the deadline of the call.
  void WaitFor(const std::function<bool(Duration most)>& done, const std::string& late) { Wait(done, deadline_, late); }
  /// Whether the other side has closed, and what it has sent before; between two calls, without waiting.
  bool Ended(std::string* came) const;
  bool isOpen() const override { return socket_ >= 0; }
  void close() override;

  uint32_t read(uint8_t* buffer, uint32_t length);
  void write(const uint8_t* buffer, uint32_t length);

 private:
  using Time = std::chrono::steady_clock::time_point;

  /// The addresses of the host; throws at the deadline.
  std::shared_ptr<const addrinfo> Lookup(Time deadline);
  /// False: this address does not answer, and errno says why.
  bool TryAddress(const addrinfo& address, Time deadline);
  void Wait(const std::function<bool(Duration most)>& done, Time deadline, const std::string& late);
  /// Throws what `go_on` says.
  void AskToGoOn();
  /// Waits until the socket can do `events`; false: the deadline passed.
  bool Ready(short events, Time deadline);
  /// The same within the deadline of the call, which it throws.
  void Await(short events);

  const std::string host_;
  const int port_;
  int socket_ = -1;
  Duration asked_{0};  // of the call
  Time deadline_;
  const std::function<Status()>* go_on_ = nullptr;
  Status ended_by_;
};

}  // namespace fensi::store
