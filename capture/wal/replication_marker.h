// What a region server writes into its own log once in a period, so that its peers see how far it is
// (hbase.regionserver.replication.marker.enabled): a cell of row SERVER_MILLIS.
//
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "capture/wal/cell_block.h"

namespace fensi::capture {

struct ReplicationMarker {
  std::string_view server;  // "HOST,PORT,STARTCODE", of whose log it is
  int64_t time = 0;         // by that server's clock, milliseconds since the epoch
};

bool IsReplicationMarker(const WalCell& cell);

/// Absent when the cell is none, or its row is not as HBase writes it.
std::optional<ReplicationMarker> ReplicationMarkerOf(const WalCell& cell);

}  // namespace fensi::capture
