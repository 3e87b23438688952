// The datagrams of sd_notify(3): what a program tells the service manager that started it.
//
// Never blocks; one thread.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

namespace fensi::cli {

class NotifySocket {
 public:
  /// `address` as in NOTIFY_SOCKET: a path, or "@name" of Linux's abstract sockets. Empty, too long or of another kind:
  /// nobody is told.
  explicit NotifySocket(const std::string& address);
  ~NotifySocket();
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;

  bool wanted() const { return descriptor_ >= 0; }

  /// Whether the manager got it. One that is away or busy is no fault of ours: the next message tries again.
  bool Send(const std::string& message) const;

 private:
  sockaddr_un place_{};
  socklen_t length_ = 0;
  int descriptor_ = -1;
};

}  // namespace fensi::cli
