#include "indexer/plan/event_check.h"

#include <algorithm>
#include <string>
#include <tuple>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/instant.h"

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
  // M4 (b): like the source, the put hides all older versions of its column.
  lowered.type = CellType::kDeleteColumn;
  const mapping::Unmappable reason = mapping::TooNew(cell.family, cell.qualifier, cell.timestamp);
  told->push_back({record, reason.reason, LetterKind::kUnmappable});
  return lowered;
}

bool Concerns(const mapping::Index& index, const consumer::Record& record) {
  return !record.decoded.ok() || record.event.table == index.source_table();
}

bool IsLoadOf(const mapping::Index& index, const ChangeEvent& event) {
  if (event.kind != EventKind::kBulkLoad || event.table != index.source_table()) return false;
  // M27: a load of unknown families may be into any.
  return event.families.empty() || std::any_of(event.families.begin(), event.families.end(),
                                               [&](const std::string& family) { return index.WatchesFamily(family); });
}

Status CheckRecord(const mapping::Index& index, const consumer::Record& record) {
  FENSI_RETURN_IF_ERROR(record.decoded);
  for (const Cell& cell : record.event.cells) {
    const bool stored = cell.timestamp >= 0 && cell.timestamp < INT64_MAX;
    if (stored || !Touches(index, cell)) continue;
    return InvalidArgument("column " + ColumnText(cell.family, cell.qualifier) + ": timestamp " +
                           std::to_string(cell.timestamp) + ": HBase stores timestamps from 0 to " +
                           std::to_string(INT64_MAX - 1) + " only. Write the cell's real timestamp into the event");
  }
  return {};
}

namespace {

bool Shows(const Cell& image, const mapping::VisibleCell& now, const Unit& unit) {
  if (image.family != now.family || image.qualifier != now.qualifier || image.timestamp != now.timestamp) return false;
  return image.value == now.value || unit.Find(now.family, now.qualifier)->newest.dropped;
}

/// True if a put of the image has the time of a visible cell and another value: a bulk load may replace a value so.
bool HasOtherValue(std::span<const Cell* const> image, const Visible& now, const Unit& unit) {
  return std::any_of(image.begin(), image.end(), [&](const Cell* put) {
    if (put->type != CellType::kPut) return false;
    const auto same = std::find_if(now.cells.begin(), now.cells.end(), [&](const mapping::VisibleCell& cell) {
      return cell.family == put->family && cell.qualifier == put->qualifier;
    });
    return same != now.cells.end() && same->timestamp == put->timestamp && !Shows(*put, *same, unit);
  });
}

std::vector<const Cell*> PutsInOrder(std::span<const Cell* const> image) {
  std::vector<const Cell*> puts;
  std::copy_if(image.begin(), image.end(), std::back_inserter(puts),
               [](const Cell* cell) { return cell->type == CellType::kPut; });
  std::sort(puts.begin(), puts.end(), [](const Cell* a, const Cell* b) {
    return std::tie(a->family, a->qualifier) < std::tie(b->family, b->qualifier);
  });
  return puts;
}

}  // namespace

ColumnNames NamesOf(const Visible& visible) {
  ColumnNames names;
  for (const mapping::VisibleCell& cell : visible.cells) names.emplace_back(cell.family, cell.qualifier);
  return names;
}

bool ImageLeavesDoubt(std::span<const Cell* const> image, bool whole, const ColumnNames& shown, const Visible& now,
                      const Unit& unit) {
  const ColumnNames names = NamesOf(now);
  // M15: a column that was visible before is not visible any more.
  if (!std::includes(names.begin(), names.end(), shown.begin(), shown.end())) return true;
  // M15: a part of a row says nothing about the columns that it does not have.
  if (!whole) return HasOtherValue(image, now, unit);
  const std::vector<const Cell*> puts = PutsInOrder(image);
  return !std::equal(puts.begin(), puts.end(), now.cells.begin(), now.cells.end(),
                     [&](const Cell* put, const mapping::VisibleCell& cell) { return Shows(*put, cell, unit); });
}

}  // namespace fensi::indexer
