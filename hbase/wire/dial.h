// Opens a TCP connection within a deadline, even if the name service or the host is silent.
//
// Blocks.
#pragma once

#include <chrono>
#include <string>

#include "base/status.h"

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

/// Non-blocking, without delay, with keep-alive. Several addresses of the host share the time. kUnavailable with the
/// reason.
Result<Socket> Dial(const std::string& host, int port, Deadline deadline);

/// Waits until the socket can be read (POLLIN) or written (POLLOUT); false: the deadline passed.
bool WaitForSocket(int socket, short events, Deadline deadline);

}  // namespace fensi::hbase
