#include "sweep/scan/source_unit.h"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hbase_limits.h"
#include "mapping/lookup.h"

namespace fensi::sweep {

IndexCell IndexCell::Of(const mapping::Entry& entry) {
  return {std::string(entry.table), std::string(entry.row), std::string(entry.family), std::string(entry.qualifier)};
}

mapping::Entry IndexCell::View() const {
  mapping::Entry entry;
  entry.table = table;
  entry.row = row;
  entry.family = family;
  entry.qualifier = qualifier;
  return entry;
}

size_t IndexCell::HeldBytes() const {
  return sizeof(IndexCell) + table.size() + row.size() + family.size() + qualifier.size();
}

void Hasher::Add(std::string_view bytes) {
  const XXH128_hash_t part = XXH3_128bits_withSeed(bytes.data(), bytes.size(), bytes.size());
  const uint64_t chain[] = {hash_.low, hash_.high, part.low64, part.high64};
  const XXH128_hash_t all = XXH3_128bits(chain, sizeof chain);
  hash_ = {all.low64, all.high64};
}

void Hasher::Add(int64_t number) {
  char bytes[sizeof number];
  std::memcpy(bytes, &number, sizeof number);
  Add(std::string_view(bytes, sizeof bytes));
}

Hash CellHash(const mapping::Entry& entry) {
  Hasher hasher;
  for (const std::string_view part : {entry.table, entry.row, entry.family, entry.qualifier}) hasher.Add(part);
  return hasher.hash();
}

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

namespace {

const std::string* Exact(const std::vector<mapping::KnownPart>& known, const char* name) {
  for (const mapping::KnownPart& part : known) {
    if (part.exact && part.name == name) return &part.value;
  }
  return nullptr;
}

/// The one family that all `each:` columns share, or empty.
std::string OnlyFamily(const mapping::Index& index) {
  std::set<std::string> families;
  for (const mapping::Watch& watch : index.watches()) families.insert(watch.family);
  return families.size() == 1 ? *families.begin() : "";
}

std::optional<SourceUnit> UnitOf(const mapping::Index& index, const std::vector<mapping::KnownPart>& known) {
  const std::string* row = Exact(known, "row");
  if (row == nullptr || row->empty() || row->size() > kMaxRowBytes) return std::nullopt;
  SourceUnit unit{*row, {}};
  if (index.state_scope() == mapping::StateScope::kRow) return unit;
  const std::string* qualifier = Exact(known, "qualifier");
  const std::string* told = Exact(known, "family");
  const std::string family = told != nullptr ? *told : OnlyFamily(index);
  // No cell of an unwatched column can be an entry: the row as it is will show it.
  if (qualifier != nullptr && index.Watches(family, *qualifier)) unit.column = {family, *qualifier};
  return unit;
}

}  // namespace

std::optional<SourceUnit> UnitByKey(const mapping::Index& index, const mapping::Entry& cell) {
  return UnitOf(index, mapping::DecodeKey(index, cell));
}

bool IsOwnCell(const mapping::Index& index, const mapping::Entry& cell, const SourceUnit& unit) {
  const std::optional<SourceUnit> owner = UnitByKey(index, cell);
  // M14: a report may be old or edited, so the cell itself must name the row.
  return owner && owner->row == unit.row;
}

std::optional<Origin> SourceOfEntry(const mapping::Index& index, const mapping::Entry& cell) {
  if (auto unit = UnitByKey(index, cell)) return Origin{std::move(*unit), false};
  if (auto unit = UnitOf(index, mapping::Decode(index, cell))) return Origin{std::move(*unit), true};
  return std::nullopt;
}

}  // namespace fensi::sweep
