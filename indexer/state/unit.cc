#include "indexer/state/unit.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/bytes.h"

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
    // M3: nothing is known of the column up to that time, so an older put is ambiguous.
    place->unsure = forgotten;
  }
  return &*place;
}

int64_t Unit::NewestOfColumns() const {
  int64_t newest = kNoTime;
  for (const ColumnState& column : columns) newest = std::max(newest, column.Newest());
  return newest;
}

bool HasOwnEnd(const Unit& unit) {
  return std::any_of(unit.columns.begin(), unit.columns.end(),
                     [](const ColumnState& column) { return column.newest.expires_at != INT64_MAX; });
}

bool IsHidden(const Cell& cell, const FamilyStates& families) {
  const FamilyState* family = families.Find(cell.family);
  return family != nullptr && cell.timestamp <= family->marker;
}

bool InVersionDoubt(const Unit& unit, const FamilyStates& families) {
  return std::any_of(unit.columns.begin(), unit.columns.end(),
                     [&](const ColumnState& column) { return column.VersionDoubt(families.Find(column.family)); });
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

namespace {

/// A unit above the bound is cut so far below it that its next events need not cut again.
constexpr size_t kFits = kMaxUnitBytes / 4 * 3;
constexpr size_t kRegisterBytes = 64;  // encoded numbers of a column or a put

size_t EncodedBytes(const ColumnState& column) {
  size_t bytes = kRegisterBytes + column.family.size() + column.qualifier.size() + column.newest.value.size();
  for (const PutRegister& put : column.kept) bytes += kRegisterBytes + put.value.size();
  return bytes + 10 * column.deleted_versions.size();
}

bool IsDeleted(const ColumnState& column) { return column.newest.timestamp <= column.marker; }

std::string Name(const ColumnState& column) { return "column " + ColumnText(column.family, column.qualifier); }

/// Forgets columns, those with the oldest registers first, until the unit fits.
template <typename MayGo, typename Told>
void ForgetColumns(MayGo may_go, Told told, size_t* bytes, Unit* unit) {
  std::vector<const ColumnState*> oldest;
  for (const ColumnState& column : unit->columns) {
    if (may_go(column)) oldest.push_back(&column);
  }
  std::sort(oldest.begin(), oldest.end(), [](const auto* a, const auto* b) { return a->Newest() < b->Newest(); });
  size_t gone = 0;
  while (gone < oldest.size() && *bytes > kFits) {
    told(*oldest[gone]);
    *bytes -= EncodedBytes(*oldest[gone++]);
  }
  if (gone == 0) return;
  const int64_t last = oldest[gone - 1]->Newest();
  unit->forgotten = std::max(unit->forgotten, last);
  oldest.resize(gone);
  std::sort(oldest.begin(), oldest.end());
  std::erase_if(unit->columns,
                [&](const ColumnState& column) { return std::binary_search(oldest.begin(), oldest.end(), &column); });
}

void ForgetVersions(size_t* bytes, Unit* unit) {
  for (ColumnState& column : unit->columns) {
    if (*bytes <= kFits) return;
    *bytes -= EncodedBytes(column);
    column.ForgetKept();
    *bytes += EncodedBytes(column);
  }
}

void DropValues(size_t* bytes, std::vector<std::string>* lost, Unit* unit) {
  while (*bytes > kMaxUnitBytes) {
    const auto largest = std::max_element(unit->columns.begin(), unit->columns.end(), [](const auto& a, const auto& b) {
      return a.newest.value.size() < b.newest.value.size();
    });
    if (largest == unit->columns.end() || largest->newest.value.size() < kRegisterBytes) return;
    const size_t size = largest->newest.value.size();
    lost->push_back(Name(*largest) + ": the value has " + std::to_string(size) +
                    " bytes, and a row state keeps at most " + std::to_string(kMaxUnitBytes) +
                    " bytes for all values of the row. The row has no entry");
    std::string().swap(largest->newest.value);
    largest->newest.dropped = true;
    *bytes -= size;
  }
}

}  // namespace

size_t StateBytes(const Unit& unit) {
  size_t bytes = kRegisterBytes;
  for (const ColumnState& column : unit.columns) bytes += EncodedBytes(column);
  return bytes;
}

void Prune(const FamilyStates& families, Unit* unit) {
  const auto ends = [](const PutRegister& put) { return put.expires_at != INT64_MAX; };
  std::erase_if(unit->columns, [&](const ColumnState& column) {
    const FamilyState* family = families.Find(column.family);
    const bool hidden = family != nullptr && column.Newest() <= family->marker;
    return hidden && !ends(column.newest) && std::none_of(column.kept.begin(), column.kept.end(), ends);
  });
}

std::vector<std::string> Fit(Unit* unit) {
  std::vector<std::string> lost;
  size_t bytes = StateBytes(*unit);
  if (bytes <= kMaxUnitBytes) return lost;
  ForgetColumns(
      IsDeleted, [](const ColumnState&) {}, &bytes, unit);
  ForgetVersions(&bytes, unit);
  DropValues(&bytes, &lost, unit);
  if (bytes <= kMaxUnitBytes) return lost;
  const auto any = [](const ColumnState&) { return true; };
  const auto tell = [&](const ColumnState& column) {
    lost.push_back(Name(column) + ": the row has more columns than its row state of at most " +
                   std::to_string(kMaxUnitBytes) + " bytes keeps. This column is left out of the index");
  };
  ForgetColumns(any, tell, &bytes, unit);
  return lost;
}

}  // namespace fensi::indexer
