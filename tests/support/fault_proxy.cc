#include "tests/support/fault_proxy.h"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

#include "tests/support/loopback.h"

namespace fensi::testing {
namespace {

int Connect(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = Loopback(port);
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return socket;
  ::close(socket);
  return -1;
}

void SendAtOnce(int socket) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

bool SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(sent));
  }
  return true;
}

}  // namespace

/// One connection. Its sockets are closed by the destructor of the proxy, or when both pumps have ended.
struct FaultProxy::Link {
  int number = 0;
  int client = -1;
  int target = -1;
  bool closed = false;  // guarded by mu_, as the next
  int pumping = 2;
  std::thread requests;
  std::thread replies;
};

FaultProxy::FaultProxy(int target_port) : target_port_(target_port) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof address;
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_, 128) != 0 ||
      ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    throw std::runtime_error("the fault proxy cannot listen on 127.0.0.1");
  }
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { Accept(); });
}

FaultProxy::~FaultProxy() {
  {
    const std::lock_guard lock(mu_);
    stopping_ = true;
    for (Link& link : links_) Close(&link, false);
  }
  changed_.notify_all();
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (Link& link : links_) {
    link.requests.join();
    link.replies.join();
  }
  ::close(listener_);
}

void FaultProxy::Accept() {
  while (true) {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mu_);
    if (stopping_ || client < 0) {
      if (client >= 0) ::close(client);
      return;
    }
    // Connections that ended are swept here, so that thousands of them may follow each other.
    for (auto link = links_.begin(); link != links_.end();) {
      if (link->pumping > 0) {
        ++link;
        continue;
      }
      link->requests.join();
      link->replies.join();
      link = links_.erase(link);
    }
    Open(client);
  }
}

void FaultProxy::Open(int client) {
  const int target = Connect(target_port_);
  if (target < 0) {
    ::close(client);
    return;
  }
  SendAtOnce(client);
  SendAtOnce(target);
  Link& link = links_.emplace_back();
  link.number = ++connections_;
  link.client = client;
  link.target = target;
  link.requests = std::thread([this, &link] { Pump(&link, Way::kRequests); });
  link.replies = std::thread([this, &link] { Pump(&link, Way::kReplies); });
}

void FaultProxy::Pump(Link* link, Way way) {
  char buffer[16384];
  const int from = way == Way::kRequests ? link->client : link->target;
  while (true) {
    const ssize_t read = ::recv(from, buffer, sizeof buffer, 0);
    if (read <= 0) break;
    const std::string_view bytes(buffer, static_cast<size_t>(read));
    if (way == Way::kRequests) Observe(*link, way, bytes);
    if (!PassOn(link, way, bytes)) break;
    if (way == Way::kReplies) Observe(*link, way, bytes);
  }
  Observe(*link, way, {});
  const std::lock_guard lock(mu_);
  Close(link, false);
  changed_.notify_all();
  if (--link->pumping > 0) return;
  ::close(link->client);
  ::close(link->target);
}

void FaultProxy::Observe(const Link& link, Way way, std::string_view piece) const {
  if (observer_) observer_(link.number, way, piece);
}

bool FaultProxy::PassOn(Link* link, Way way, std::string_view bytes) {
  const int to = way == Way::kRequests ? link->target : link->client;
  while (!bytes.empty()) {
    size_t piece = bytes.size();
    {
      const std::lock_guard lock(mu_);
      if (faults(way).slice > 0) piece = std::min(piece, faults(way).slice);
    }
    if (!WaitBeforeSending(link, way, piece)) return false;
    const size_t allowed = TakeAllowance(way, piece);
    if (!SendAll(to, bytes.substr(0, allowed)) || allowed < piece) return false;
    bytes.remove_prefix(piece);
  }
  return true;
}

/// False when the connection is closed meanwhile.
bool FaultProxy::WaitBeforeSending(Link* link, Way way, size_t bytes) {
  std::unique_lock lock(mu_);
  Faults& now = faults(way);
  auto pause = now.delay;
  if (now.bytes_per_second > 0) {
    pause += std::chrono::milliseconds(1000 * static_cast<int64_t>(bytes) / now.bytes_per_second);
  }
  const auto closed = [&] { return stopping_ || link->closed; };
  if (pause.count() > 0 && changed_.wait_for(lock, pause, closed)) return false;
  ++now.traffic.held;
  // A held piece goes on after its connection was given up by the client: it comes too late.
  changed_.wait(lock, [&] { return stopping_ || !now.hold; });
  --now.traffic.held;
  return !stopping_;
}

size_t FaultProxy::TakeAllowance(Way way, size_t bytes) {
  const std::lock_guard lock(mu_);
  Faults& now = faults(way);
  size_t allowed = bytes;
  if (now.bytes_to_cut) {
    if (*now.bytes_to_cut < static_cast<int64_t>(bytes)) {
      allowed = static_cast<size_t>(*now.bytes_to_cut);
      now.bytes_to_cut.reset();
    } else {
      *now.bytes_to_cut -= static_cast<int64_t>(bytes);
    }
  }
  now.traffic.passed += static_cast<int64_t>(allowed);
  return allowed;
}

void FaultProxy::Close(Link* link, bool reset) {
  if (link->closed) return;
  link->closed = true;
  if (reset) {
    // close() would send the reset, but the pumps still use the numbers.
    const linger at_once{1, 0};
    setsockopt(link->client, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    setsockopt(link->target, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }
  const int how = reset ? SHUT_RD : SHUT_RDWR;
  ::shutdown(link->client, how);
  ::shutdown(link->target, how);
}

template <typename Change>
void FaultProxy::Set(Change change) {
  {
    const std::lock_guard lock(mu_);
    change();
  }
  changed_.notify_all();
}

void FaultProxy::CutAfter(Way way, int64_t bytes) {
  Set([&] { faults(way).bytes_to_cut = bytes; });
}
void FaultProxy::Delay(Way way, std::chrono::milliseconds delay) {
  Set([&] { faults(way).delay = delay; });
}
void FaultProxy::Slice(Way way, size_t bytes) {
  Set([&] { faults(way).slice = bytes; });
}
void FaultProxy::Throttle(Way way, int64_t bytes_per_second) {
  Set([&] { faults(way).bytes_per_second = bytes_per_second; });
}
void FaultProxy::Hold(Way way) {
  Set([&] { faults(way).hold = true; });
}
void FaultProxy::Release(Way way) {
  Set([&] { faults(way).hold = false; });
}
void FaultProxy::Reset() {
  Set([&] {
    for (Link& link : links_) Close(&link, true);
  });
}

void FaultProxy::Heal() {
  Set([&] {
    for (Faults& one : faults_) {
      const Traffic traffic = one.traffic;
      one = Faults();
      one.traffic = traffic;
    }
  });
}

FaultProxy::Traffic FaultProxy::traffic(Way way) const {
  const std::lock_guard lock(mu_);
  return faults_[static_cast<int>(way)].traffic;
}

}  // namespace fensi::testing
