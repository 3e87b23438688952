#include "hbase/server_name.h"

#include "base/text.h"

namespace fensi::hbase {
std::optional<proto::hbase::ServerName> ParseServerName(const std::string& name) {
  const std::string_view text = name;
  const size_t first = text.find(','), second = text.rfind(',');
  if (first == 0 || first == std::string::npos || first == second) return std::nullopt;
  const auto port = ParseWhole<uint16_t>(text.substr(first + 1, second - first - 1));
  const auto start_code = ParseWhole<uint64_t>(text.substr(second + 1));
  if (!port || !start_code) return std::nullopt;
  proto::hbase::ServerName server;
  server.set_host_name(name.substr(0, first));
  server.set_port(*port);
  server.set_start_code(*start_code);
  return server;
}

}  // namespace fensi::hbase
