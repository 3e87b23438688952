#include "sweep/origin.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hbase_limits.h"
#include "mapping/lookup.h"

namespace fensi::sweep {
namespace {

const std::string* Exact(const std::vector<mapping::KnownPart>& known, const char* name) {
  for (const mapping::KnownPart& part : known) {
    if (part.exact && part.name == name) return &part.value;
  }
  return nullptr;
}

/// The family of all columns of `each:`; empty: they have several.
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
  // Of a column that nobody watches no cell comes: the row as it is will show it.
  if (qualifier != nullptr && index.Watches(family, *qualifier)) unit.column = {family, *qualifier};
  return unit;
}

}  // namespace

std::optional<SourceUnit> UnitByKey(const mapping::Index& index, const mapping::Entry& cell) {
  return UnitOf(index, mapping::DecodeKey(index, cell));
}

bool IsOwnCell(const mapping::Index& index, const mapping::Entry& cell, const SourceUnit& unit) {
  const std::optional<SourceUnit> owner = UnitByKey(index, cell);
  return owner && owner->row == unit.row;
}

std::optional<Origin> OriginOf(const mapping::Index& index, const mapping::Entry& cell) {
  if (auto unit = UnitByKey(index, cell)) return Origin{std::move(*unit), false};
  if (auto unit = UnitOf(index, mapping::Decode(index, cell))) return Origin{std::move(*unit), true};
  return std::nullopt;
}

}  // namespace fensi::sweep
