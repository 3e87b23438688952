#include "capture/rpc/stream.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

namespace fensi::capture {
namespace {

using boost::system::error_code;

// A record of TLS that holds a part of a handshake.
constexpr char kHandshakeRecord = '\x16';

// Whoever is silent is asked after this time, and given up after some more: half a minute each.
constexpr int kKeepIdleSeconds = 60, kKeepIntervalSeconds = 10, kKeepProbes = 3;

void KeepAlive(boost::asio::ip::tcp::socket& socket) {
  error_code ignored;
  socket.set_option(boost::asio::socket_base::keep_alive(true), ignored);
  const int handle = socket.native_handle();
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPIDLE, &kKeepIdleSeconds, sizeof kKeepIdleSeconds);
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPINTVL, &kKeepIntervalSeconds, sizeof kKeepIntervalSeconds);
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPCNT, &kKeepProbes, sizeof kKeepProbes);
}

}  // namespace

Stream::Stream(boost::asio::ip::tcp::socket socket) : socket_(std::move(socket)) {
  error_code ignored;
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  KeepAlive(socket_);
}

std::string Stream::OtherEnd() const {
  error_code error;
  const auto endpoint = socket_.remote_endpoint(error);
  if (error) return "an unknown address";
  return endpoint.address().to_string() + ":" + std::to_string(endpoint.port());
}

void Stream::Sniff(std::function<void(const error_code&, bool)> done) {
  socket_.async_wait(boost::asio::ip::tcp::socket::wait_read, [this, done = std::move(done)](error_code error) mutable {
    if (error) return done(error, false);
    char first = 0;
    socket_.non_blocking(true, error);
    const size_t seen = socket_.receive(boost::asio::buffer(&first, 1), boost::asio::socket_base::message_peek, error);
    if (error == boost::asio::error::would_block) return Sniff(std::move(done));
    done(error, seen == 1 && first == kHandshakeRecord);
  });
}

void Stream::Handshake(std::shared_ptr<TlsContext> context, Done done) {
  context_ = std::move(context);
  tls_.emplace(socket_, context_->context());
  tls_->async_handshake(boost::asio::ssl::stream_base::server, std::move(done));
}

void Stream::Read(const boost::asio::mutable_buffer& into, Done done) {
  const auto read = [done = std::move(done)](const error_code& error, size_t) { done(error); };
  if (tls_.has_value()) return boost::asio::async_read(*tls_, into, read);
  boost::asio::async_read(socket_, into, read);
}

void Stream::Write(const boost::asio::const_buffer& from, Done done) {
  const auto written = [done = std::move(done)](const error_code& error, size_t) { done(error); };
  if (tls_.has_value()) return boost::asio::async_write(*tls_, from, written);
  boost::asio::async_write(socket_, from, written);
}

Status Stream::FaultOf(const error_code& error) {
  return tls_.has_value() ? FaultOfTls(error, tls_->native_handle()) : Status();
}

void Stream::Close() {
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace fensi::capture
