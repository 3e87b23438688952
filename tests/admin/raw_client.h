// A client that sends any bytes, as slowly as it likes. Blocking, one thread.
#pragma once

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "admin/address.h"

namespace fensi::admin {

inline Address Loopback(uint16_t port) { return {Address::Kind::kTcp, "127.0.0.1", port}; }

class RawClient {
 public:
  explicit RawClient(const Address& address) {
    if (address.kind == Address::Kind::kUnix) {
      sockaddr_un to{.sun_family = AF_UNIX};
      address.host.copy(to.sun_path, sizeof to.sun_path - 1);
      Connect(AF_UNIX, &to, sizeof to);
    } else {
      sockaddr_in to{.sin_family = AF_INET, .sin_port = htons(address.port)};
      inet_pton(AF_INET, address.host.c_str(), &to.sin_addr);
      Connect(AF_INET, &to, sizeof to);
    }
  }
  ~RawClient() {
    if (socket_ >= 0) close(socket_);
  }
  RawClient(RawClient&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;

  bool connected() const { return connected_; }
  /// False: the other side has gone.
  bool Send(const std::string& bytes) {
    size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t some = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (some <= 0) return false;
      sent += static_cast<size_t>(some);
    }
    return true;
  }
  /// What comes until the end, or until nothing has come for so long.
  std::string ReadAll(std::chrono::milliseconds silence = std::chrono::seconds(20)) {
    std::string all;
    for (char bytes[4096];;) {
      pollfd wait{socket_, POLLIN, 0};
      if (poll(&wait, 1, static_cast<int>(silence.count())) <= 0) return all;
      const ssize_t some = recv(socket_, bytes, sizeof bytes, 0);
      if (some <= 0) {
        ended_ = true;
        return all;
      }
      all.append(bytes, static_cast<size_t>(some));
    }
  }
  /// The other side has closed, as ReadAll found.
  bool ended() const { return ended_; }
  void Finish() { shutdown(socket_, SHUT_WR); }

 private:
  void Connect(int family, const void* to, socklen_t size) {
    socket_ = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    connected_ = connect(socket_, static_cast<const sockaddr*>(to), size) == 0;
  }

  int socket_ = -1;
  bool connected_ = false;
  bool ended_ = false;
};

/// One request, and all that comes back until the end.
inline std::string Ask(const Address& address, const std::string& bytes) {
  RawClient client(address);
  client.Send(bytes);
  return client.ReadAll();
}

inline std::string Get(const std::string& target, const std::string& more = "") {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + more + "\r\n";
}

}  // namespace fensi::admin
