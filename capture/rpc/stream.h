// The bytes of one connection, plain or in TLS.
//
// Lives on the server's thread. One read and one write at a time; callbacks keep alive whoever owns the stream, and are
// called once, with an error when the stream is closed meanwhile.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "capture/rpc/tls.h"

namespace fensi::capture {

class Stream {
 public:
  using Done = std::function<void(const boost::system::error_code&)>;

  explicit Stream(boost::asio::ip::tcp::socket socket);

  /// "127.0.0.1:4711", for messages.
  std::string OtherEnd() const;
  bool is_tls() const { return tls_.has_value(); }

  /// Says, without taking anything, whether the other side begins as TLS does.
  void Sniff(std::function<void(const boost::system::error_code&, bool)> done);
  /// From here on everything is in TLS.
  void Handshake(std::shared_ptr<TlsContext> context, Done done);
  void Read(const boost::asio::mutable_buffer& into, Done done);
  void Write(const boost::asio::const_buffer& from, Done done);
  /// As FaultOfTls; ok on a plain stream.
  Status FaultOf(const boost::system::error_code& error);
  void Close();

 private:
  boost::asio::ip::tcp::socket socket_;
  std::shared_ptr<TlsContext> context_;
  std::optional<boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>> tls_;
};

}  // namespace fensi::capture
