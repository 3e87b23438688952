#include "store/hbase/wire/gateway_socket.h"

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

#include "base/unattended.h"

namespace fensi::store {
namespace {

using apache::thrift::transport::TTransportException;
using std::chrono::steady_clock;

[[noreturn]] void Fail(TTransportException::TTransportExceptionType type, const std::string& text) {
  throw TTransportException(type, text);
}

[[noreturn]] void FailWithErrno(const std::string& what) {
  Fail(TTransportException::UNKNOWN, what + ": " + std::strerror(errno));
}

bool WouldBlock() { return errno == EAGAIN || errno == EWOULDBLOCK; }

std::string Text(std::chrono::milliseconds duration) {
  const int64_t millis = duration.count();
  return millis % 1000 == 0 ? std::to_string(millis / 1000) + " s" : std::to_string(millis) + " ms";
}

void SetOption(int socket, int level, int option) {
  const int on = 1;
  setsockopt(socket, level, option, &on, sizeof(on));
}

using Addresses = std::shared_ptr<const addrinfo>;

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

/// Resolves on a thread that ends when the resolver does: the caller need not wait for it.
std::future<Resolved> StartToResolve(const std::string& host, int port) {
  auto answer = RunDetached([host, port] { return Resolve(host, port, 0); });
  if (!answer) Fail(TTransportException::NOT_OPEN, NoThreadText("to resolve the name of the gateway"));
  return *std::move(answer);
}

constexpr std::chrono::milliseconds kSlice(100);  // between two calls of go_on

}  // namespace

GatewaySocket::GatewaySocket(std::string host, int port,
                             const std::shared_ptr<apache::thrift::TConfiguration>& configuration)
    : TVirtualTransport(configuration), host_(std::move(host)), port_(port) {}

GatewaySocket::~GatewaySocket() { GatewaySocket::close(); }

void GatewaySocket::close() {
  if (socket_ >= 0) ::close(socket_);
  socket_ = -1;
}

void GatewaySocket::StartCall(const CallLimit& limit, const std::function<Status()>* go_on) {
  deadline_ = steady_clock::now() + limit.left;
  asked_ = limit.asked;
  go_on_ = go_on;
  ended_by_ = Status();
  resetConsumedMessageSize();
}

void GatewaySocket::Connect(Duration timeout) {
  const Addresses addresses = Lookup(std::min(steady_clock::now() + timeout, deadline_));
  int left = 0;
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next) ++left;
  const Time begin = steady_clock::now();
  const Time latest = std::min(begin + timeout, deadline_);
  for (const addrinfo* address = addresses.get(); address != nullptr; address = address->ai_next, --left) {
    const Time now = steady_clock::now();
    if (TryAddress(*address, now + (latest - now) / left)) return;  // of several each gets its share
  }
  const int error = errno;
  const auto waited = Text(std::chrono::round<Duration>(latest - begin));
  Fail(
      error == ETIMEDOUT ? TTransportException::TIMED_OUT : TTransportException::UNKNOWN,
      (error == ETIMEDOUT ? "no connection within " + waited : "cannot connect: " + std::string(std::strerror(error))) +
          ". Check that the gateway runs, and that this host can reach it");
}

std::shared_ptr<const addrinfo> GatewaySocket::Lookup(Time deadline) {
  Resolved found = Resolve(host_, port_, AI_NUMERICHOST);
  if (found.error == 0) return found.addresses;
  std::future<Resolved> answer = StartToResolve(host_, port_);
  Wait([&answer](Duration most) { return answer.wait_for(most) == std::future_status::ready; }, deadline,
       "the name service does not answer: check DNS on this host");
  found = answer.get();
  if (found.error == 0) return found.addresses;
  Fail(TTransportException::NOT_OPEN,
       "the name has no address (" + std::string(gai_strerror(found.error)) + "): check the name and DNS");
}

bool GatewaySocket::TryAddress(const addrinfo& address, Time deadline) {
  close();
  socket_ = ::socket(address.ai_family, address.ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC, address.ai_protocol);
  if (socket_ < 0) return false;
  SetOption(socket_, SOL_SOCKET, SO_KEEPALIVE);
  SetOption(socket_, IPPROTO_TCP, TCP_NODELAY);
  if (connect(socket_, address.ai_addr, address.ai_addrlen) == 0) return true;
  if (errno != EINPROGRESS) return false;
  int error = ETIMEDOUT;
  socklen_t length = sizeof(error);
  if (Ready(POLLOUT, deadline)) getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &length);
  errno = error;
  return error == 0;
}

void GatewaySocket::Wait(const std::function<bool(Duration most)>& done, Time deadline, const std::string& late) {
  while (!done(kSlice)) {
    AskToGoOn();
    if (steady_clock::now() >= deadline) Fail(TTransportException::TIMED_OUT, late);
  }
}

bool GatewaySocket::Ended(std::string* came) const {
  char bytes[4096];
  while (true) {
    const ssize_t got = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got > 0) came->append(bytes, static_cast<size_t>(got));
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return !WouldBlock();
  }
}

void GatewaySocket::AskToGoOn() {
  if (go_on_ != nullptr) ended_by_ = (*go_on_)();
  if (!ended_by_.ok()) Fail(TTransportException::INTERRUPTED, ended_by_.message());
}

bool GatewaySocket::Ready(short events, Time deadline) {
  while (true) {
    AskToGoOn();
    const auto left = std::chrono::ceil<Duration>(deadline - steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wait{socket_, events, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min(left, kSlice).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) FailWithErrno("waiting for the gateway");
  }
}

void GatewaySocket::Await(short events) {
  if (!Ready(events, deadline_)) Fail(TTransportException::TIMED_OUT, "no answer within " + Text(asked_));
}

uint32_t GatewaySocket::read(uint8_t* buffer, uint32_t length) {
  while (true) {
    const ssize_t got = recv(socket_, buffer, length, 0);
    if (got > 0) {
      countConsumedMessageBytes(got);
      return static_cast<uint32_t>(got);
    }
    if (got == 0) Fail(TTransportException::END_OF_FILE, "the gateway closed the connection before it had answered");
    if (WouldBlock()) {
      Await(POLLIN);
    } else if (errno != EINTR) {
      FailWithErrno("the connection broke");
    }
  }
}

void GatewaySocket::write(const uint8_t* buffer, uint32_t length) {
  while (length > 0) {
    const ssize_t sent = send(socket_, buffer, length, MSG_NOSIGNAL);
    if (sent >= 0) {
      buffer += sent;
      length -= static_cast<uint32_t>(sent);
    } else if (WouldBlock()) {
      Await(POLLOUT);
    } else if (errno != EINTR) {
      FailWithErrno("the connection broke");
    }
  }
}

}  // namespace fensi::store
