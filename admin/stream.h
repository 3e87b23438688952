// The bytes of one connection between an admin server and a client, plain or in TLS: what Boost.Beast reads from and
// writes to.
//
// One read and one write at a time, on one thread. A time that is over (expires_after) ends what is awaited.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <chrono>
#include <memory>
#include <utility>

#include "admin/tls.h"

namespace fensi::admin {

class Stream {
 public:
  using Plain = boost::beast::basic_stream<boost::asio::generic::stream_protocol>;
  using Socket = boost::asio::generic::stream_protocol::socket;
  using executor_type = Plain::executor_type;

  /// `tls` is null: plain.
  Stream(Socket socket, TlsContext tls) : context_(std::move(tls)) {
    if (context_ == nullptr) {
      plain_ = std::make_unique<Plain>(std::move(socket));
    } else {
      tls_ = std::make_unique<Tls>(std::move(socket), *context_);
    }
  }

  bool is_tls() const { return tls_ != nullptr; }
  executor_type get_executor() { return plain().get_executor(); }
  Socket& socket() { return plain().socket(); }
  void expires_after(std::chrono::milliseconds time) { plain().expires_after(time); }

  /// Of a stream in TLS, before anything else.
  template <typename Handler>
  void Handshake(boost::asio::ssl::stream_base::handshake_type type, Handler handler) {
    tls_->async_handshake(type, std::move(handler));
  }
  /// The other side must have a certificate for this host, which may be an address in numbers.
  template <typename Verification>
  void Verify(Verification verification) {
    tls_->set_verify_callback(std::move(verification));
  }

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (tls_ != nullptr) return void(tls_->async_read_some(buffers, std::forward<Handler>(handler)));
    plain_->async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (tls_ != nullptr) return void(tls_->async_write_some(buffers, std::forward<Handler>(handler)));
    plain_->async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  using Tls = boost::asio::ssl::stream<Plain>;

  Plain& plain() { return tls_ != nullptr ? tls_->next_layer() : *plain_; }

  const TlsContext context_;  // outlives what is made of it
  std::unique_ptr<Plain> plain_;
  std::unique_ptr<Tls> tls_;
};

}  // namespace fensi::admin
