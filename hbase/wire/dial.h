// Opens a TCP connection within a deadline, even if the name service or the host is silent.
//
// Blocks.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/status.h"

struct addrinfo;

namespace fensi::hbase {

/// Owns a descriptor.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int descriptor) : descriptor_(descriptor) {}
  ~Socket();
  Socket(Socket&& other) noexcept;
  Socket& operator=(Socket&& other) noexcept;

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

using Deadline = std::chrono::steady_clock::time_point;

/// As people write it: an IPv6 address is put in brackets.
std::string AddressText(const std::string& host, int port);

/// "2 s" or "250 ms".
std::string TimeoutText(std::chrono::milliseconds timeout);

/// Non-blocking, without delay, with keep-alive. Several addresses of the host share the time. kUnavailable with the
/// reason.
Result<Socket> Dial(const std::string& host, int port, Deadline deadline);

// The two steps of Dial, for a caller with a wait of its own, which may also throw.

using Addresses = std::shared_ptr<const addrinfo>;
inline constexpr char kSilentNameService[] = "the name service does not answer: check DNS on this host";
/// Waits until its argument returns true, which waits at most as long as it is told. An error ends the search.
using AwaitAnswer = std::function<Status(const std::function<bool(std::chrono::milliseconds most)>& answered)>;
/// kUnavailable with the reason. `await` is called unless the host is an address in numbers.
Result<Addresses> FindAddresses(const std::string& host, int port, const AwaitAnswer& await);

/// Waits until the socket can be written; false: the deadline passed.
using AwaitConnection = std::function<bool(int socket, Deadline deadline)>;
/// The first address that answers; several share the time. No socket: errno has the reason of the last one.
Socket ConnectToAny(const Addresses& addresses, Deadline deadline, const AwaitConnection& await);

/// Waits until the socket can be read (POLLIN) or written (POLLOUT); false: the deadline passed.
bool WaitForSocket(int socket, short events, Deadline deadline);

}  // namespace fensi::hbase
