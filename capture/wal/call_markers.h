// The replication markers of one call: the first and the last of each server.
//
// Not thread-safe. Bounded: a call has markers of one server, or of few.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "capture/wal/replication_marker.h"
#include "consumer/codec/mark_codec.h"

namespace fensi::capture {

class CallMarkers {
 public:
  static constexpr size_t kMostServers = 100;

  /// All markers of a server are recorded, or none: a wrong first marker would prove too much.
  void Note(const ReplicationMarker& marker) {
    const auto known = servers_.find(marker.server);
    if (known != servers_.end()) {
      known->second.first = std::min(known->second.first, marker.time);
      known->second.last = std::max(known->second.last, marker.time);
    } else if (servers_.size() < kMostServers) {
      const std::string server(marker.server);
      servers_.emplace(server, consumer::Mark::Call{server, marker.time, marker.time});
    }
  }

  std::vector<consumer::Mark::Call> calls() const {
    std::vector<consumer::Mark::Call> calls;
    for (const auto& [server, call] : servers_) calls.push_back(call);
    return calls;
  }
  bool empty() const { return servers_.empty(); }

  void NoteBulkLoads(bool reported) { reports_bulk_loads_ = reported; }
  /// True if the sender of the call reports bulk loads.
  bool reports_bulk_loads() const { return reports_bulk_loads_; }

 private:
  std::map<std::string, consumer::Mark::Call, std::less<>> servers_;
  bool reports_bulk_loads_ = false;
};

}  // namespace fensi::capture
