#include "indexer/repair_target_validator.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/lookup.h"

namespace fensi::indexer {

RepairTargetValidator::RepairTargetValidator(const mapping::Index* index) : index_(index) {}

bool RepairTargetValidator::IsTable(const std::string& name) const {
  const bool other = name == index_->state_table() || name == index_->source_table();
  return !other && !name.ends_with(mapping::kStateTableSuffix) && mapping::CouldBePeriodTable(*index_, name);
}

Status RepairTargetValidator::Check(const consumer::Suspect& suspect) const {
  const auto refused = [&](const std::string& why) {
    return Status(StatusCode::kInvalidArgument, "suspect " + Escape(suspect.table) + " " + Escape(suspect.row) + " " +
                                                    ColumnText(suspect.family, suspect.qualifier) +
                                                    " is left alone: " + why);
  };
  // M14: never remove a cell from a table of somebody else.
  if (!IsTable(suspect.table)) return refused("the index has no such table");
  if (suspect.family.empty()) return refused("cells of other source rows may be in that row; name its own");
  const auto& families = index_->create().families;
  const bool known = std::any_of(families.begin(), families.end(),
                                 [&](const mapping::FamilySpec& family) { return family.name == suspect.family; });
  if (!known) return refused("the index has no such family");
  if (suspect.timestamp > kMaxPassedVersion)
    return refused("what removes it would hide everything that is put there later");
  return {};
}

}  // namespace fensi::indexer
