#include "indexer/repair_target_validator.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "indexer/remedies.h"
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
                                                    ColumnText(suspect.family, suspect.qualifier) + " skipped: " + why);
  };
  // M14: never remove a cell from a table of somebody else.
  if (!IsTable(suspect.table))
    return refused("table " + Escape(suspect.table) + " is not a table of index " + index_->name());
  if (suspect.family.empty())
    return refused(
        "the suspect names no column, and its row may have cells of other source rows. Name FAMILY:QUALIFIER");
  const auto& families = index_->create().families;
  const bool known = std::any_of(families.begin(), families.end(),
                                 [&](const mapping::FamilySpec& family) { return family.name == suspect.family; });
  if (!known) return refused("family " + Escape(suspect.family) + " is not a family of index " + index_->name());
  if (suspect.timestamp > kMaxPassedVersion) return refused(TooNewText("the index cell", suspect.timestamp));
  return {};
}

}  // namespace fensi::indexer
