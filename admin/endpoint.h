// From an Address to what Boost.Asio connects to or listens on. Pure.
#pragma once

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "admin/address.h"

namespace fensi::admin {

/// Of an address that ParseAddress made, and not of none.
inline boost::asio::generic::stream_protocol::endpoint EndpointOf(const Address& address) {
  namespace asio = boost::asio;
  if (address.kind == Address::Kind::kUnix) return asio::local::stream_protocol::endpoint(address.host);
  return asio::ip::tcp::endpoint(asio::ip::make_address(address.host), address.port);
}

}  // namespace fensi::admin
