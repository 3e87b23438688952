#include "capture/wal/replication_marker.h"

#include <charconv>
#include <string>

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
  const std::string_view time = cell.row.substr(border + 1);
  const auto end = time.data() + time.size();
  const auto parsed = std::from_chars(time.data(), end, marker.time);
  if (parsed.ec != std::errc() || parsed.ptr != end || marker.time <= 0) return std::nullopt;
  if (marker.server.size() > consumer::kMostServerBytes || !hbase::ParseServerName(std::string(marker.server))) {
    return std::nullopt;
  }
  return marker;
}

}  // namespace fensi::capture
