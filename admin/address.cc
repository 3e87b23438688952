#include "admin/address.h"

#include <sys/un.h>

#include "base/text.h"

namespace fensi::admin {
namespace {

Result<Address> UnixAddress(const std::string& path) {
  if (path.empty()) return InvalidArgument("the path is missing; write unix:PATH");
  if (path.size() >= sizeof(sockaddr_un{}.sun_path)) {
    return InvalidArgument("the path of a socket has at most " + std::to_string(sizeof(sockaddr_un{}.sun_path) - 1) +
                           " bytes, and this path has " + std::to_string(path.size()) + ". Write a shorter path");
  }
  return Address{Address::Kind::kUnix, path, 0};
}

}  // namespace

std::string Address::Text() const {
  if (kind == Kind::kNone) return "none";
  if (kind == Kind::kUnix) return "unix:" + host;
  const bool v6 = host.find(':') != std::string::npos;
  return (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<Address> ParseAddress(const std::string& text) {
  constexpr size_t kLongest = 60;  // an address in numbers, its brackets and its port
  const Status bad = InvalidArgument(
      "write ADDRESS:PORT with the address in numbers, such as 127.0.0.1:16180, or "
      "unix:PATH, or none");
  if (text == "none") return Address();
  if (text.starts_with("unix:")) return UnixAddress(text.substr(5));
  const size_t colon = text.rfind(':');
  if (colon == std::string::npos || text.size() > kLongest) return bad;
  Address address{Address::Kind::kTcp, text.substr(0, colon), 0};
  const bool brackets = address.host.starts_with('[') && address.host.ends_with(']');
  if (brackets) address.host = address.host.substr(1, address.host.size() - 2);
  if (brackets != (address.host.find(':') != std::string::npos) || !IsNumericAddress(address.host)) return bad;
  const std::optional<uint16_t> port = ParseWhole<uint16_t>(std::string_view(text).substr(colon + 1));
  if (!port) return bad;
  address.port = *port;
  return address;
}

}  // namespace fensi::admin
