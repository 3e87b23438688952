// The bytes of one connection, at the server's end: plain, or in a layer that protects them.
#pragma once

#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"

namespace fensi::hbase {

/// One thread may read while another one sends.
class Wire {
 public:
  explicit Wire(int socket) : socket_(socket) {}
  virtual ~Wire() = default;
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  /// Blocks. False: the client has ended the connection, or broke it.
  virtual bool Read(size_t bytes, std::string* into) {
    constexpr size_t kMost = 64 << 20;
    if (bytes > kMost) return false;  // somebody speaks another protocol
    into->resize(bytes);
    for (size_t at = 0; at < bytes;) {
      const ssize_t got = recv(socket_, into->data() + at, bytes - at, 0);
      if (got <= 0) return false;
      at += static_cast<size_t>(got);
    }
    return true;
  }
  virtual void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
  }

  bool ReadFrame(std::string* into) { return Read(4, into) && Read(ReadBigEndian32(*into), into); }
  int socket() const { return socket_; }
  void Close() const { shutdown(socket_, SHUT_RDWR); }

 private:
  const int socket_;
};

inline std::unique_ptr<Wire> GreetPlainly(int socket) {
  auto wire = std::make_unique<Wire>(socket);
  std::string preamble;
  if (!wire->Read(6, &preamble)) return nullptr;
  return wire;
}

}  // namespace fensi::hbase
