// From which addresses connections are taken.
//
// Pure; any thread after construction.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::capture {

class PeerFilter {
 public:
  /// `networks`: "10.1.0.0/16", "192.0.2.7", "2001:db8::/32"; none: everybody. kInvalidArgument names the bad one.
  static Result<PeerFilter> Parse(const std::vector<std::string>& networks);

  bool Allows(boost::asio::ip::address address) const;

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

}  // namespace fensi::capture
