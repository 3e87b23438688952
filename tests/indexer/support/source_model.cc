#include "tests/indexer/support/source_model.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"

namespace fensi::testing {

void SourceModel::Apply(const std::string& row, const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) cells_.push_back({row, cell});
}

SourceModel::VisibleRow SourceModel::Visible(const std::string& row, int64_t now) const {
  VisibleRow visible;
  for (const Stored& put : cells_) {
    if (put.row != row || put.cell.type != CellType::kPut || Hidden(put)) continue;
    const Value value = ValueOf(put.cell);
    if (uncovers_ && value.expires_at < now) continue;
    const auto [place, added] = visible.try_emplace({put.cell.family, put.cell.qualifier}, value);
    // At equal timestamps the later written one wins.
    if (!added && value.timestamp >= place->second.timestamp) place->second = value;
  }
  std::erase_if(visible, [now](const auto& column) {
    return column.second.expires_at < now ||
           column.second.timestamp > kMaxSourceTime;  // above it an index takes nothing
  });
  return visible;
}

SourceModel::Value SourceModel::ValueOf(const Cell& put) const {
  int64_t ttl = ttl_;
  if (const std::string* own = TtlOf(put)) ttl = std::min(ttl, ReadBigEndian64(*own));
  return {put.timestamp, put.value, ttl > INT64_MAX - put.timestamp ? INT64_MAX : put.timestamp + ttl};
}

std::vector<std::string> SourceModel::Rows() const {
  std::vector<std::string> rows;
  for (const Stored& stored : cells_) rows.push_back(stored.row);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

void SourceModel::MajorCompact() {
  std::vector<Stored> left;
  for (const Stored& stored : cells_) {
    if (stored.cell.type == CellType::kPut && !Hidden(stored)) left.push_back(stored);
  }
  cells_ = std::move(left);
}

bool SourceModel::Hidden(const Stored& put) const {
  return std::any_of(cells_.begin(), cells_.end(), [&](const Stored& marker) { return Hides(marker, put); });
}

bool SourceModel::Hides(const Stored& marker, const Stored& put) {
  if (marker.row != put.row || marker.cell.family != put.cell.family) return false;
  const bool same_column = marker.cell.qualifier == put.cell.qualifier;
  const int64_t marked = marker.cell.timestamp, time = put.cell.timestamp;
  switch (marker.cell.type) {
    case CellType::kDelete:
      return same_column && marked == time;
    case CellType::kDeleteColumn:
      return same_column && marked >= time;
    case CellType::kDeleteFamily:
      return marked >= time;
    case CellType::kDeleteFamilyVersion:
      return marked == time;
    default:
      return false;
  }
}

}  // namespace fensi::testing
