#include "store/hbase/wire/gateway_socket.h"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

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

constexpr std::chrono::milliseconds kSlice(100);  // between two calls of go_on

}  // namespace

GatewaySocket::GatewaySocket(std::string host, int port,
                             const std::shared_ptr<apache::thrift::TConfiguration>& configuration)
    : TVirtualTransport(configuration), host_(std::move(host)), port_(port) {}

void GatewaySocket::close() { socket_ = hbase::Socket(); }

void GatewaySocket::StartCall(const CallLimit& limit, const std::function<Status()>* go_on) {
  deadline_ = steady_clock::now() + limit.left;
  asked_ = limit.asked;
  go_on_ = go_on;
  ended_by_ = Status();
  resetConsumedMessageSize();
}

void GatewaySocket::Connect(Duration timeout) {
  close();
  const auto addresses = hbase::FindAddresses(host_, port_, [&](const auto& answered) {
    Wait(answered, std::min(steady_clock::now() + timeout, deadline_), hbase::kSilentNameService);
    return Status();
  });
  if (!addresses.ok()) Fail(TTransportException::NOT_OPEN, addresses.status().message());
  const Time begin = steady_clock::now();
  const Time latest = std::min(begin + timeout, deadline_);
  socket_ = hbase::ConnectToAny(*addresses, latest,
                                [this](int socket, Time deadline) { return Ready(socket, POLLOUT, deadline); });
  if (socket_) return;
  const int error = errno;
  const auto waited = hbase::TimeoutText(std::chrono::round<Duration>(latest - begin));
  Fail(
      error == ETIMEDOUT ? TTransportException::TIMED_OUT : TTransportException::UNKNOWN,
      (error == ETIMEDOUT ? "no connection within " + waited : "cannot connect: " + std::string(std::strerror(error))) +
          ". Check that the gateway runs, and that this host can reach it");
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
    const ssize_t got = recv(socket_.get(), bytes, sizeof bytes, MSG_DONTWAIT);
    if (got > 0) came->append(bytes, static_cast<size_t>(got));
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return !WouldBlock();
  }
}

void GatewaySocket::AskToGoOn() {
  if (go_on_ != nullptr) ended_by_ = (*go_on_)();
  if (!ended_by_.ok()) Fail(TTransportException::INTERRUPTED, ended_by_.message());
}

bool GatewaySocket::Ready(int socket, short events, Time deadline) {
  while (true) {
    AskToGoOn();
    const auto left = std::chrono::ceil<Duration>(deadline - steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd wait{socket, events, 0};
    const int ready = poll(&wait, 1, static_cast<int>(std::min(left, kSlice).count()));
    if (ready > 0) return true;
    if (ready < 0 && errno != EINTR) FailWithErrno("waiting for the gateway");
  }
}

void GatewaySocket::Await(short events) {
  if (!Ready(socket_.get(), events, deadline_))
    Fail(TTransportException::TIMED_OUT, "no answer within " + hbase::TimeoutText(asked_));
}

uint32_t GatewaySocket::read(uint8_t* buffer, uint32_t length) {
  while (true) {
    const ssize_t got = recv(socket_.get(), buffer, length, 0);
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
    const ssize_t sent = send(socket_.get(), buffer, length, MSG_NOSIGNAL);
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
