#include "indexer/plan/event_check.h"

#include <string>

#include "base/bytes.h"
#include "base/source_time.h"
#include "mapping/too_new.h"

namespace fensi::indexer {

bool MarksFamily(const Cell& cell) {
  return IsFamilyMarker(cell.type) || (cell.type == CellType::kUnknownDelete && cell.qualifier.empty());
}

bool Touches(const mapping::Index& index, const Cell& cell) {
  return MarksFamily(cell) ? index.WatchesFamily(cell.family) : index.Watches(cell.family, cell.qualifier);
}

int64_t ExpiresByItself(const Cell& put) {
  const std::string* bytes = TtlOf(put);
  if (bytes == nullptr || bytes->size() != 8) return INT64_MAX;
  const int64_t ttl = ReadBigEndian64(*bytes);
  return ttl > INT64_MAX - put.timestamp ? INT64_MAX : put.timestamp + ttl;
}

bool IsTooNew(const Cell& cell) {
  return cell.timestamp > (cell.type == CellType::kPut ? kMaxSourceTime : kAboveSourceTimes);
}

Cell Lowered(const Cell& cell, size_t record, std::vector<Letter>* told) {
  Cell lowered{.family = cell.family, .qualifier = cell.qualifier, .timestamp = kAboveSourceTimes, .type = cell.type};
  if (cell.type != CellType::kPut) return lowered;
  lowered.type = CellType::kDeleteColumn;
  const mapping::Unmappable reason = mapping::TooNew(cell.family, cell.qualifier, cell.timestamp);
  told->push_back({record, reason.reason, LetterKind::kUnmappable});
  return lowered;
}

bool Concerns(const mapping::Index& index, const consumer::Record& record) {
  return !record.decoded.ok() || record.event.table == index.source_table();
}

Status CheckRecord(const mapping::Index& index, const consumer::Record& record) {
  FENSI_RETURN_IF_ERROR(record.decoded);
  for (const Cell& cell : record.event.cells) {
    const bool stored = cell.timestamp >= 0 && cell.timestamp < INT64_MAX;
    if (stored || !Touches(index, cell)) continue;
    return InvalidArgument("column " + ColumnText(cell.family, cell.qualifier) + ": timestamp " +
                           std::to_string(cell.timestamp) + " is none that HBase stores (0 to " +
                           std::to_string(INT64_MAX - 1) + "): the event needs the one that was stored");
  }
  return {};
}

}  // namespace fensi::indexer
