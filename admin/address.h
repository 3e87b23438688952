// Where an admin server listens: --admin=ADDRESS:PORT | unix:PATH | none. Pure.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cstdint>
#include <string>

#include "base/status.h"

namespace fensi::admin {

struct Address {
  enum class Kind { kNone, kTcp, kUnix };
  Kind kind = Kind::kNone;
  std::string host;  // in numbers, without brackets; of kUnix the path
  uint16_t port = 0;

  /// "127.0.0.1:16180", "[::1]:16180", "unix:/run/fensi.sock"
  std::string Text() const;
};

/// Addresses are in numbers ("0.0.0.0:16180", "[::1]:0"); port 0 is any free one.
Result<Address> ParseAddress(const std::string& text);

// From an Address to what Boost.Asio connects to or listens on. Pure.

/// Of an address that ParseAddress made, and not of none.
inline boost::asio::generic::stream_protocol::endpoint EndpointOf(const Address& address) {
  namespace asio = boost::asio;
  if (address.kind == Address::Kind::kUnix) return asio::local::stream_protocol::endpoint(address.host);
  return asio::ip::tcp::endpoint(asio::ip::make_address(address.host), address.port);
}

}  // namespace fensi::admin
