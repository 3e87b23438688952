// The bytes of one connection, plain or in TLS.
//
// Lives on the server's thread. One read and one write at a time; callbacks keep the owner of the stream alive, and are
// called once, with an error if the stream is closed meanwhile.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/system/error_code.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"

namespace fensi::capture {

// TLS of this server: from the first byte of a connection, 1.2 or later, without renegotiation and resumption.

/// Texts in PEM.
struct TlsPems {
  std::string certificates;        // server certificate, then those of its issuers
  std::string key;                 // private key, without a pass phrase
  std::string client_authorities;  // issuers of the region servers' certificates; empty: they need none

  bool operator==(const TlsPems&) const = default;
};

/// Immutable after construction; shared by the connections that began with it.
class TlsContext {
 public:
  /// kConfiguration names the flag whose file is invalid, and why.
  static Result<std::shared_ptr<TlsContext>> Create(const TlsPems& pems);

  boost::asio::ssl::context& context() { return context_; }

 private:
  TlsContext();
  Status UseCertificate(const TlsPems& pems);
  Status UseAuthorities(const std::string& pems);

  boost::asio::ssl::context context_;
};

/// Why a connection could not be made, for people; ok: not because of TLS. kConfiguration: a trusted certificate of
/// ours has expired. kInvalidArgument: any client may cause it.
Status FaultOfTls(const boost::system::error_code& error, SSL* connection);

// The bytes of one connection, plain or in TLS.

class Stream {
 public:
  using Done = std::function<void(const boost::system::error_code&)>;

  explicit Stream(boost::asio::ip::tcp::socket socket);

  /// "127.0.0.1:4711", for messages.
  std::string OtherEnd() const;
  /// The address and port at which the client reached this process, for messages.
  std::string OwnEnd() const;
  bool is_tls() const { return tls_.has_value(); }

  /// Checks, without consuming bytes, whether the client begins a TLS handshake.
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
