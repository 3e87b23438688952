#include "mapping/engine/cell_ends.h"

#include <algorithm>

#include "mapping/definition/analysis.h"

namespace fensi::mapping {
namespace {

const FamilySpec* FindFamily(const CreateSpec& create, std::string_view name) {
  const auto found = std::find_if(create.families.begin(), create.families.end(),
                                  [&](const FamilySpec& family) { return family.name == name; });
  return found == create.families.end() ? nullptr : &*found;
}

/// With MIN_VERSIONS the newest version stays whatever its age.
int64_t TtlMillis(const FamilySpec& family) {
  const bool ends = family.ttl_seconds && family.min_versions.value_or(0) == 0;
  return ends ? int64_t{1000} * *family.ttl_seconds : 0;
}

/// One entry is made of several cells of its row, or every event of the row writes it again.
bool MayOutliveCells(const IndexDefinition& definition, bool between_bound) {
  if (definition.shared) return true;
  if (ScopeOf(definition) == StateScope::kColumn) return false;
  const bool bound = definition.each.fanout == Fanout::kColumns;
  return bound ? between_bound || !definition.slots.empty() : definition.slots.size() > 1;
}

}  // namespace

int64_t TtlMillis(const CreateSpec& create, std::string_view family) {
  const FamilySpec* spec = FindFamily(create, family);
  return spec == nullptr ? 0 : TtlMillis(*spec);
}

CellEnds::CellEnds(const IndexDefinition& definition)
    : create_(definition.create),
      between_bound_(BoundColumnsCompete(definition)),
      matter_(!definition.expire_exactly && MayOutliveCells(definition, between_bound_)) {
  for (const FamilySpec& family : create_.families) {
    const int64_t ttl = TtlMillis(family);
    longest_ttl_ = std::max(longest_ttl_, ttl);
    all_entries_expire_ = all_entries_expire_ && ttl > 0;
  }
  if (!all_entries_expire_) longest_ttl_ = 0;
}

int64_t CellEnds::Of(const VisibleCell& cell) const {
  const FamilySpec* named = FindFamily(create_, cell.family);
  const int64_t ttl = named == nullptr ? longest_ttl_ : TtlMillis(*named);
  int64_t end = INT64_MAX;
  if (ttl > 0 && __builtin_add_overflow(cell.timestamp, ttl, &end)) end = INT64_MAX;
  return std::min(end, cell.expires_at);
}

}  // namespace fensi::mapping
