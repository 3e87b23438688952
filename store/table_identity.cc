#include "store/table_identity.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/hbase_limits.h"
#include "base/text.h"
#include "hbase/errors.h"

namespace fensi::store {
namespace {

ScanRequest RowsOf(const std::string& table) {
  // Rows of regions are TABLE,START_KEY,ID.HASH. and '-' is the character after ','.
  return {.start_row = table, .stop_row = table + "-", .columns = {{"table", "state"}, {"info", "regioninfo"}}};
}

/// Absent: it is none of a region.
std::optional<int64_t> RegionIdIn(const std::string& row) {
  const size_t comma = row.rfind(',');
  if (comma == std::string::npos) return std::nullopt;
  const size_t dot = row.find('.', comma);
  if (dot == std::string::npos) return std::nullopt;
  return ParseWhole<int64_t>(std::string_view(row).substr(comma + 1, dot - comma - 1));
}

/// The time of the cell that says that the table is enabled. M25: a disabled table has no identity.
Result<int64_t> EnabledAt(const std::string& table, const std::vector<Row>& rows) {
  static const std::string kEnabled("\x08\x00", 2);  // HBase's TableState, a message of one enumeration
  if (rows.empty() || rows.front().row != table) return NoSuchTable(table);
  const Cell& state = rows.front().cells.front();
  if (state.value == kEnabled) return state.timestamp;
  return hbase::TableNotEnabled(table);
}

/// Reads page by page, because a gateway allocates room for all rows of a request.
Result<std::vector<Row>> ReadRows(ScanRequest request, const MetaScanner& scan) {
  std::vector<Row> rows;
  for (bool more = true; more;) {
    Result<std::vector<Row>> page = scan(request);
    FENSI_RETURN_IF_ERROR(page.status());
    more = ToNextPage(*page, &request);
    std::move(page->begin(), page->end(), std::back_inserter(rows));
  }
  return rows;
}

}  // namespace

/// M25: reads the table's state before and after its regions, because a table that is recreated in between has another
/// state.
Result<TableIdentity> ReadIdentity(const std::string& name, const MetaScanner& scan) {
  ScanRequest request = RowsOf(name);
  const Result<std::vector<Row>> rows = ReadRows(request, scan);
  FENSI_RETURN_IF_ERROR(rows.status());
  const Result<int64_t> before = EnabledAt(name, *rows);
  FENSI_RETURN_IF_ERROR(before.status());
  request.stop_row = RowAfter(name);
  const Result<std::vector<Row>> again = ReadRows(request, scan);
  FENSI_RETURN_IF_ERROR(again.status());
  const Result<int64_t> behind = EnabledAt(name, *again);
  FENSI_RETURN_IF_ERROR(behind.status());
  std::optional<int64_t> first;
  for (const Row& row : *rows) {
    const std::optional<int64_t> id = RegionIdIn(row.row);
    // M25: the oldest region; younger ones come from splits.
    if (id) first = std::min(first.value_or(*id), *id);
  }
  if (*before == *behind && first) return TableIdentity{*before, *first};
  return Status(StatusCode::kUnavailable,
                "table " + name + " was created, dropped or enabled while fensi read its state; fensi reads it again");
}

}  // namespace fensi::store
