#include "daemon/service/notify_socket.h"

#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace fensi::daemon {

NotifySocket::NotifySocket(const std::string& address) {
  const bool abstract = address.starts_with('@');
  if (!abstract && !address.starts_with('/')) return;
  if (address.size() >= sizeof(place_.sun_path)) return;
  place_.sun_family = AF_UNIX;
  std::copy(address.begin(), address.end(), place_.sun_path);
  if (abstract) place_.sun_path[0] = '\0';
  length_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
  descriptor_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

NotifySocket::~NotifySocket() {
  if (descriptor_ >= 0) close(descriptor_);
}

bool NotifySocket::Send(const std::string& message) const {
  if (descriptor_ < 0) return false;
  const ssize_t sent = sendto(descriptor_, message.data(), message.size(), MSG_DONTWAIT | MSG_NOSIGNAL,
                              reinterpret_cast<const sockaddr*>(&place_), length_);
  return sent == static_cast<ssize_t>(message.size());
}

}  // namespace fensi::daemon
