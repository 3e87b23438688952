// A region of a table, and its location.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace fensi::hbase {

struct ServerAddress {
  std::string host;
  int port = 0;
  bool operator==(const ServerAddress&) const = default;
};

struct RegionLocation {
  std::string table;     // "table" or "namespace:table"
  std::string name;      // TABLE,START,ID.ENCODED.
  std::string start;     // inclusive; empty: the first
  std::string end;       // exclusive; empty: the last
  ServerAddress server;  // of no host: no server has the region
  int64_t sequence = 0;  // of the opening there: rises with each
  bool by_move = false;  // reported by its former server, not by hbase:meta
  // The state in hbase:meta, for example "CLOSED", if no server serves a region in this state; otherwise empty. If it
  // is set, `server` is the former server.
  std::string closed;

  std::string EncodedName() const {
    const std::string_view unended = std::string_view(name).substr(0, name.rfind('.'));
    return std::string(unended.substr(unended.rfind('.') + 1));
  }
  bool Has(std::string_view row) const { return row >= start && (end.empty() || row < end); }
};

using LocationPtr = std::shared_ptr<const RegionLocation>;

}  // namespace fensi::hbase
