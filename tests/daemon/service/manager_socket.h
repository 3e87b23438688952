// In place of systemd: where a service sends what it tells.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace fensi::daemon {

class ManagerSocket {
 public:
  enum class Kind { kPath, kAbstract };

  explicit ManagerSocket(Kind kind) {
    std::string folder = "/tmp/fensi-manager-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no folder");
    folder_ = folder;
    // The folder's name is this process's alone, so the abstract one is, too.
    address_ = kind == Kind::kPath ? folder + "/notify" : "@" + folder;
    sockaddr_un place{.sun_family = AF_UNIX};
    std::copy(address_.begin(), address_.end(), place.sun_path);
    if (kind == Kind::kAbstract) place.sun_path[0] = '\0';
    descriptor_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    if (bind(descriptor_, reinterpret_cast<const sockaddr*>(&place), length) != 0)
      throw std::runtime_error("no socket");
  }
  ~ManagerSocket() {
    close(descriptor_);
    if (address_[0] == '/') unlink(address_.c_str());
    rmdir(folder_.c_str());
  }
  ManagerSocket(const ManagerSocket&) = delete;
  ManagerSocket& operator=(const ManagerSocket&) = delete;

  /// As in NOTIFY_SOCKET.
  const std::string& address() const { return address_; }

  /// The oldest message that was not asked for yet, or "nothing".
  std::string Next() const {
    std::string message(4096, '\0');
    const ssize_t size = recv(descriptor_, message.data(), message.size(), 0);
    if (size < 0) return "nothing";
    message.resize(static_cast<size_t>(size));
    return message;
  }

 private:
  std::string folder_;
  std::string address_;
  int descriptor_ = -1;
};

}  // namespace fensi::daemon
