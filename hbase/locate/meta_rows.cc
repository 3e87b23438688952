#include "hbase/locate/meta_rows.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "base/text.h"
#include "hbase/wire/framing.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

constexpr char kAboveAllIds[] = "99999999999999";
constexpr size_t kNumberBytes = 8;

/// Without a host if the text names no server.
ServerAddress ParseServer(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return {};
  const auto port = ParseWhole<int>(text.substr(colon + 1));
  return port ? ServerAddress{std::string(text.substr(0, colon)), *port} : ServerAddress();
}

std::string NameOfTable(const proto::hbase::TableName& name) {
  const bool spaced = !name.namespace_().empty() && name.namespace_() != "default";
  return spaced ? name.namespace_() + ":" + name.qualifier() : name.qualifier();
}

bool TakeRegionInfo(std::string_view value, MetaRow* row) {
  constexpr std::string_view kMark = "PBUF";
  proto::hbase::RegionInfo info;
  if (!value.starts_with(kMark) || !ParseMessage(value.substr(kMark.size()), &info)) return false;
  row->location.table = NameOfTable(info.table_name());
  row->location.start = info.start_key();
  row->location.end = info.end_key();
  row->serving = !info.offline() && !info.split() && info.replica_id() == 0;
  return true;
}

/// The states of HBase's RegionState in which no server serves a region until the master, or a person, opens it.
bool IsClosed(std::string_view state) {
  constexpr std::string_view kClosed[] = {"CLOSED", "OFFLINE", "FAILED_OPEN", "ABNORMALLY_CLOSED"};
  return std::find(std::begin(kClosed), std::end(kClosed), state) != std::end(kClosed);
}

}  // namespace

std::optional<MetaRow> ParseMetaRow(const std::vector<CellView>& cells) {
  MetaRow row;
  bool is_region = false;
  for (const CellView& cell : cells) {
    row.location.name = cell.row;
    if (cell.family != "info") continue;
    if (cell.qualifier == "regioninfo") {
      is_region = TakeRegionInfo(cell.value, &row);
    } else if (cell.qualifier == "server") {
      row.location.server = ParseServer(cell.value);
    } else if (cell.qualifier == "seqnumDuringOpen" && cell.value.size() == kNumberBytes) {
      row.location.sequence = ReadBigEndian64(cell.value);
    } else if (cell.qualifier == "state" && IsClosed(cell.value)) {
      row.location.closed = cell.value;
    }
  }
  return is_region ? std::optional(std::move(row)) : std::nullopt;
}

/// A key of hbase:meta has a greatest length, too. No region begins with a longer part of the row than what is left of
/// it: its own key would have been longer.
std::string MetaKeyOf(std::string_view table, std::string_view row) {
  const size_t rest = table.size() + sizeof ",," + sizeof kAboveAllIds;
  row = row.substr(0, kMaxRowBytes - rest);
  return std::string(table) + "," + std::string(row) + "," + kAboveAllIds;
}

std::string MetaStopOf(std::string_view table) { return std::string(table) + ",,"; }

}  // namespace fensi::hbase
