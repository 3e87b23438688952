// Sends the datagrams of sd_notify(3) to the service manager that started the program.
//
// Never blocks; one thread.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

namespace fensi::daemon {

class NotifySocket {
 public:
  /// `address` as in NOTIFY_SOCKET: a path, or "@name" of Linux's abstract sockets. Empty, too long or of another kind:
  /// nothing is sent.
  explicit NotifySocket(const std::string& address);
  ~NotifySocket();
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  bool wanted() const { return descriptor_ >= 0; }

  /// True if the manager received it. A failure is harmless: the next message tries again.
  bool Send(const std::string& message) const;

 private:
  sockaddr_un place_{};
  socklen_t length_ = 0;
  int descriptor_ = -1;
};

}  // namespace fensi::daemon
