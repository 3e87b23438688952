#include "sweep/source_unit.h"

#include <algorithm>
#include <string_view>
#include <tuple>

namespace fensi::sweep {
namespace {

auto NameOf(const SourceUnit& unit) {
  std::string_view family, qualifier;  // of a row: empty
  if (unit.column) family = unit.column->family;
  if (unit.column) qualifier = unit.column->qualifier;
  return std::tuple(std::string_view(unit.row), family, qualifier);
}

}  // namespace

bool UnitBefore(const SourceUnit& a, const SourceUnit& b) { return NameOf(a) < NameOf(b); }

std::vector<store::GetRequest::Column> WatchedColumns(const mapping::Index& index) {
  std::vector<store::GetRequest::Column> columns;
  for (const mapping::Watch& watch : index.watches()) {
    store::GetRequest::Column column{watch.family, {}};
    if (watch.kind == mapping::Watch::Kind::kColumn) column.qualifier = watch.qualifier;
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(std::move(column));
  }
  return columns;
}

store::GetRequest UnitRequest(const mapping::Index& index, const SourceUnit& unit) {
  store::GetRequest request{.row = unit.row};
  if (unit.column) {
    request.columns.push_back({unit.column->family, unit.column->qualifier});
  } else {
    request.columns = WatchedColumns(index);
  }
  return request;
}

int64_t NewestOf(const mapping::Index& index, const store::Row& row) {
  int64_t newest = INT64_MIN;
  for (const Cell& cell : row.cells) {
    if (index.Watches(cell.family, cell.qualifier)) newest = std::max(newest, cell.timestamp);
  }
  return newest;
}

Hash ImageOf(const mapping::Index& index, const store::Row& row) {
  Hasher hasher;
  for (const Cell& cell : row.cells) {
    if (!index.Watches(cell.family, cell.qualifier)) continue;
    hasher.Add(cell.family);
    hasher.Add(cell.qualifier);
    hasher.Add(cell.timestamp);
    hasher.Add(cell.value);
  }
  return hasher.hash();
}

}  // namespace fensi::sweep
