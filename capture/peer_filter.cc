#include "capture/peer_filter.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi::capture {
namespace {

namespace ip = boost::asio::ip;

ip::address WithoutMapping(const ip::address& address) {
  if (!address.is_v6() || !address.to_v6().is_v4_mapped()) return address;
  return ip::make_address_v4(ip::v4_mapped, address.to_v6());
}

/// A network with host bits set is more likely a mistake than a wish.
template <typename Network>
bool IsCanonical(const Network& network) {
  return network.canonical().address() == network.address();
}

}  // namespace

Result<PeerFilter> PeerFilter::Parse(const std::vector<std::string>& networks) {
  PeerFilter filter;
  for (const std::string& text : networks) {
    boost::system::error_code error;
    const bool bare = text.find('/') == std::string::npos;
    const bool v6 = text.find(':') != std::string::npos;
    const std::string network = bare ? text + (v6 ? "/128" : "/32") : text;
    bool good = false;
    if (v6) {
      const auto parsed = ip::make_network_v6(network, error);
      if (good = !error && IsCanonical(parsed); good) filter.v6_.push_back(parsed);
    } else {
      const auto parsed = ip::make_network_v4(network, error);
      if (good = !error && IsCanonical(parsed); good) filter.v4_.push_back(parsed);
    }
    if (!good) {
      return InvalidArgument("'" + Escape(text) +
                             "' is no network. Write ADDRESS or ADDRESS/BITS, such as 10.1.0.0/16. All bits after the "
                             "first BITS must be 0");
    }
  }
  return filter;
}

bool PeerFilter::Allows(ip::address address) const {
  if (v4_.empty() && v6_.empty()) return true;
  address = WithoutMapping(address);
  if (address.is_v4()) {
    const ip::address_v4 plain = address.to_v4();
    return std::any_of(v4_.begin(), v4_.end(), [&](const ip::network_v4& network) {
      return ip::network_v4(plain, network.prefix_length()).canonical() == network;
    });
  }
  const ip::address_v6 plain = address.to_v6();
  return std::any_of(v6_.begin(), v6_.end(), [&](const ip::network_v6& network) {
    return ip::network_v6(plain, network.prefix_length()).canonical() == network;
  });
}

namespace {

constexpr std::string_view kAnyHost = "/*@";

bool Fits(std::string_view allowed, std::string_view principal) {
  const size_t star = allowed.find(kAnyHost);
  if (star == std::string_view::npos) return principal == allowed;
  const std::string_view begin = allowed.substr(0, star + 1), end = allowed.substr(star + 2);
  if (principal.size() <= begin.size() + end.size()) return false;
  if (!principal.starts_with(begin) || !principal.ends_with(end)) return false;
  const std::string_view host = principal.substr(begin.size(), principal.size() - begin.size() - end.size());
  return host.find_first_of("/@\\") == std::string_view::npos;  // one name, and nothing that Kerberos had to escape
}

}  // namespace

bool PrincipalFilter::Allows(std::string_view principal) const {
  return std::any_of(principals_.begin(), principals_.end(),
                     [principal](const std::string& allowed) { return Fits(allowed, principal); });
}

}  // namespace fensi::capture
