// Filters connections by address.
//
// Pure; any thread after construction.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/text.h"

namespace fensi::capture {

class PeerFilter {
 public:
  /// `networks`: "10.1.0.0/16", "192.0.2.7", "2001:db8::/32"; none: all addresses. kInvalidArgument names the bad one.
  static Result<PeerFilter> Parse(const std::vector<std::string>& networks);

  bool Allows(boost::asio::ip::address address) const;

 private:
  std::vector<boost::asio::ip::network_v4> v4_;
  std::vector<boost::asio::ip::network_v6> v6_;
};

/// Filters Kerberos principals that may send edits.
///
/// Pure; any thread after construction.
class PrincipalFilter {
 public:
  /// `principals`: "hbase/rs1.example.org@EXAMPLE.ORG", or "hbase/*@EXAMPLE.ORG" for each host of the realm. None: no
  /// principal.
  explicit PrincipalFilter(std::vector<std::string> principals) : principals_(std::move(principals)) {}

  /// `principal` as Kerberos writes it.
  bool Allows(std::string_view principal) const;
  /// For messages: "hbase/*@EXAMPLE.ORG, fensi@EXAMPLE.ORG".
  std::string Text() const { return Joined(principals_); }

 private:
  std::vector<std::string> principals_;
};

}  // namespace fensi::capture
