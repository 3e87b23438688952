#include "hbase/server_name.h"

#include <charconv>

namespace fensi::hbase {
namespace {

template <typename Number>
bool ParseWhole(std::string_view text, Number* number) {
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, *number);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

}  // namespace

std::optional<proto::hbase::ServerName> ParseServerName(const std::string& name) {
  const std::string_view text = name;
  const size_t first = text.find(','), second = text.rfind(',');
  uint16_t port = 0;
  uint64_t start_code = 0;
  if (first == 0 || first == std::string::npos || first == second) return std::nullopt;
  if (!ParseWhole(text.substr(first + 1, second - first - 1), &port)) return std::nullopt;
  if (!ParseWhole(text.substr(second + 1), &start_code)) return std::nullopt;
  proto::hbase::ServerName server;
  server.set_host_name(name.substr(0, first));
  server.set_port(port);
  server.set_start_code(start_code);
  return server;
}

}  // namespace fensi::hbase
