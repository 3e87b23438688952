#include "hbase/wire/dial.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <future>
#include <memory>
#include <utility>

#include "base/unattended.h"

namespace fensi::hbase {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

struct Resolved {
  int error = 0;
  Addresses addresses;
};

/// Blocks as long as the system's resolver waits for its servers, unless AI_NUMERICHOST is among the `flags`.
Resolved Resolve(const std::string& host, int port, int flags) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = flags;
  addrinfo* found = nullptr;
  const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &wanted, &found);
  if (error != 0) return {error, nullptr};
  return {0, Addresses(found, &freeaddrinfo)};
}

Status NoConnection(const std::string& why) { return Status(StatusCode::kUnavailable, why); }

void SwitchOn(int socket, int level, int option) {
  const int on = 1;
  setsockopt(socket, level, option, &on, sizeof on);
}

/// No socket: this address does not answer, and errno says why.
Socket TryAddress(const addrinfo& address, const std::function<bool(int socket)>& await) {
  Socket socket(::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol));
  if (!socket) return {};
  SwitchOn(socket.get(), SOL_SOCKET, SO_KEEPALIVE);
  SwitchOn(socket.get(), IPPROTO_TCP, TCP_NODELAY);
  if (connect(socket.get(), address.ai_addr, address.ai_addrlen) == 0) return socket;
  if (errno != EINPROGRESS) return {};
  int error = ETIMEDOUT;
  socklen_t length = sizeof error;
  if (await(socket.get())) getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &length);
  if (error == 0) return socket;
  socket = Socket();  // closing it may change errno
  errno = error;
  return {};
}

}  // namespace

Socket::~Socket() {
  if (descriptor_ >= 0) close(descriptor_);
}

Socket::Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Socket& Socket::operator=(Socket&& other) noexcept {
  if (this != &other) {
    if (descriptor_ >= 0) close(descriptor_);
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

std::string AddressText(const std::string& host, int port) {
  const bool colons = host.find(':') != std::string::npos;
  return (colons ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::string TimeoutText(milliseconds timeout) {
  const int64_t millis = timeout.count();
  return millis % 1000 == 0 ? std::to_string(millis / 1000) + " s" : std::to_string(millis) + " ms";
}

bool WaitForSocket(int socket, short events, Deadline deadline) {
  while (true) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now()).count();
    if (left <= 0) return false;
    pollfd wait{socket, events, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min<int64_t>(left, INT32_MAX)));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) return false;
  }
}

Result<Addresses> FindAddresses(const std::string& host, int port, const AwaitAnswer& await) {
  Resolved found = Resolve(host, port, AI_NUMERICHOST);
  if (found.error == 0) return found.addresses;
  // On a thread that ends when the resolver does: the caller need not wait for it.
  auto answer = RunDetached([host, port] { return Resolve(host, port, 0); });
  if (!answer) return NoConnection(NoThreadText("to resolve the name of the host"));
  FENSI_RETURN_IF_ERROR(
      await([&answer](milliseconds most) { return answer->wait_for(most) == std::future_status::ready; }));
  found = answer->get();
  if (found.error == 0) return found.addresses;
  return NoConnection("the name has no address (" + std::string(gai_strerror(found.error)) +
                      "): check the name and DNS");
}

Socket ConnectToAny(const Addresses& addresses, Deadline deadline, const AwaitConnection& await) {
  int left = 0;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next) ++left;
  for (const addrinfo* one = addresses.get(); one != nullptr; one = one->ai_next, --left) {
    const auto now = steady_clock::now();
    const Deadline share = now + (deadline - now) / left;
    Socket socket = TryAddress(*one, [&](int opened) { return await(opened, share); });
    if (socket) return socket;
  }
  return {};
}

Result<Socket> Dial(const std::string& host, int port, Deadline deadline) {
  const auto resolved = [deadline](const auto& answered) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - steady_clock::now());
    return answered(left) ? Status() : NoConnection(kSilentNameService);
  };
  FENSI_ASSIGN_OR_RETURN(const Addresses addresses, FindAddresses(host, port, resolved));
  Socket socket = ConnectToAny(addresses, deadline,
                               [](int opened, Deadline share) { return WaitForSocket(opened, POLLOUT, share); });
  if (socket) return socket;
  const std::string why = errno == ETIMEDOUT ? "no connection within --connect_timeout_s" : std::strerror(errno);
  return NoConnection(why + ". Check that the server runs, and that this host can reach it");
}

}  // namespace fensi::hbase
