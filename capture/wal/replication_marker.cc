#include "capture/wal/replication_marker.h"

#include <string>

#include "base/text.h"
#include "consumer/codec/mark_codec.h"
#include "hbase/server_name.h"

namespace fensi::capture {
namespace {

constexpr std::string_view kQualifier = "HBASE::REPLICATION_MARKER";
constexpr size_t kMostRowBytes = consumer::kMostServerBytes + 20;  // of a server, "_" and a time

}  // namespace

bool IsReplicationMarker(const hbase::CellView& cell) { return hbase::IsOfHBase(cell) && cell.qualifier == kQualifier; }

std::optional<ReplicationMarker> ReplicationMarkerOf(const hbase::CellView& cell) {
  const size_t border = cell.row.rfind('_');
  if (!IsReplicationMarker(cell) || cell.row.size() > kMostRowBytes || border == std::string_view::npos) {
    return std::nullopt;
  }
  ReplicationMarker marker{.server = cell.row.substr(0, border)};
  marker.time = ParseWhole<int64_t>(cell.row.substr(border + 1)).value_or(0);
  if (marker.time <= 0) return std::nullopt;
  if (marker.server.size() > consumer::kMostServerBytes || !hbase::ParseServerName(std::string(marker.server))) {
    return std::nullopt;
  }
  return marker;
}

}  // namespace fensi::capture
