// The replication marker that a region server writes into its own log once in a period, so that its peers see its
// progress (hbase.regionserver.replication.marker.enabled): a cell of row SERVER_MILLIS.
//
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hbase/wire/cell_block.h"

namespace fensi::capture {

struct ReplicationMarker {
  std::string_view server;  // "HOST,PORT,STARTCODE", owner of the log
  int64_t time = 0;         // by that server's clock, milliseconds since the epoch
};

bool IsReplicationMarker(const hbase::CellView& cell);

/// Absent if the cell is no marker, or its row is not as HBase writes it.
std::optional<ReplicationMarker> ReplicationMarkerOf(const hbase::CellView& cell);

}  // namespace fensi::capture
