#include "indexer/state/unit.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace fensi::indexer {
namespace {

/// Where the column is, or would be: they are sorted.
template <typename Columns>
auto PlaceOf(Columns* columns, std::string_view family, std::string_view qualifier) {
  using Name = std::pair<std::string_view, std::string_view>;
  return std::lower_bound(
      columns->begin(), columns->end(), Name(family, qualifier),
      [](const ColumnState& column, const Name& wanted) { return Name(column.family, column.qualifier) < wanted; });
}

bool IsAt(const std::vector<ColumnState>& columns, std::vector<ColumnState>::const_iterator place,
          std::string_view family, std::string_view qualifier) {
  return place != columns.end() && place->family == family && place->qualifier == qualifier;
}

void Clear(Visible* visible) {
  visible->cells.clear();
  visible->dropped = false;
}

}  // namespace

size_t Doubt::Add(Snapshot snapshot) {
  const auto place = std::find(snapshots.begin(), snapshots.end(), snapshot);
  const auto at = static_cast<size_t>(place - snapshots.begin());
  if (place == snapshots.end()) snapshots.push_back(std::move(snapshot));
  return at;
}

const ColumnState* Unit::Find(std::string_view column_family, std::string_view column_qualifier) const {
  const auto place = PlaceOf(&columns, column_family, column_qualifier);
  return IsAt(columns, place, column_family, column_qualifier) ? &*place : nullptr;
}

ColumnState* Unit::FindOrAdd(std::string_view column_family, std::string_view column_qualifier) {
  auto place = PlaceOf(&columns, column_family, column_qualifier);
  if (!IsAt(columns, place, column_family, column_qualifier)) {
    place = columns.insert(place, ColumnState{std::string(column_family), std::string(column_qualifier)});
    place->unsure = forgotten;
  }
  return &*place;
}

void KeepFamilies(const FamilyStates& families, Unit* unit) {
  auto own = std::make_shared<FamilyStates>();
  if (const FamilyState* family = families.Find(unit->family)) own->families = {*family};
  unit->families = std::move(own);
  unit->own_families = true;
}

void VisibleByRegisters(const Unit& unit, const FamilyStates& families, Visible* visible) {
  Clear(visible);
  for (const ColumnState& column : unit.columns) {
    const PutRegister* put = column.Visible(families.Find(column.family));
    if (put == nullptr) continue;
    visible->dropped |= put->dropped;
    visible->cells.push_back({column.family, column.qualifier, put->timestamp, put->value, put->expires_at});
  }
}

void VisibleOf(const Snapshot& snapshot, const Unit& unit, Visible* visible) {
  Clear(visible);
  visible->dropped = snapshot.dropped;
  for (const Snapshot::Cell& cell : snapshot.cells) {
    const ColumnState* column = unit.Find(cell.family, cell.qualifier);
    const int64_t expires_at = column == nullptr ? INT64_MAX : column->ExpiresAt(cell.timestamp);
    visible->cells.push_back({cell.family, cell.qualifier, cell.timestamp, cell.value, expires_at});
  }
}

Snapshot MakeSnapshot(const Visible& visible) {
  Snapshot snapshot;
  for (const mapping::VisibleCell& cell : visible.cells) {
    snapshot.cells.push_back(
        {std::string(cell.family), std::string(cell.qualifier), cell.timestamp, std::string(cell.value)});
  }
  std::sort(snapshot.cells.begin(), snapshot.cells.end(), [](const Snapshot::Cell& a, const Snapshot::Cell& b) {
    return std::tie(a.family, a.qualifier) < std::tie(b.family, b.qualifier);
  });
  return snapshot;
}

}  // namespace fensi::indexer
