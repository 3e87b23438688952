#include "indexer/plan/event_check.h"

#include <string>

#include "base/bytes.h"
#include "base/hbase_limits.h"

namespace fensi::indexer {

bool MarksFamily(const Cell& cell) {
  return IsFamilyMarker(cell.type) || (cell.type == CellType::kUnknownDelete && cell.qualifier.empty());
}

bool Concerns(const mapping::Index& index, const consumer::Record& record) {
  return !record.decoded.ok() || record.event.table == index.source_table();
}

Status CheckRecord(const consumer::Record& record) {
  FENSI_RETURN_IF_ERROR(record.decoded);
  for (const Cell& cell : record.event.cells) {
    if (cell.timestamp >= 0 && cell.timestamp <= kMaxTimestamp) continue;
    return Status(StatusCode::kInvalidArgument, "column " + ColumnText(cell.family, cell.qualifier) + ": timestamp " +
                                                    std::to_string(cell.timestamp) + " is outside 0 to " +
                                                    std::to_string(kMaxTimestamp));
  }
  return {};
}

}  // namespace fensi::indexer
