#include "operations/repair/incarnation.h"

#include <optional>

#include "indexer/remedies.h"

namespace fensi::operations {

Result<std::string> NeededIncarnation(const mapping::Index& index, const indexer::IndexMeta& meta) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<indexer::IndexMeta::Begun> known, meta.Known());
  if (known.has_value() && !known->reads_source && !index.shared()) {
    return Status(StatusCode::kConfiguration, "index " + index.name() +
                                                  " was made without its source table, so that nobody could say what "
                                                  "it should have. With the source in the store " +
                                                  indexer::RebuildRemedy(index));
  }
  if (known.has_value() && !known->incarnation.empty()) return known->incarnation;
  return Status(StatusCode::kConfiguration, "index " + index.name() +
                                                " has no incarnation: no 'fensi run' of this version has begun it, so "
                                                "that nobody would know what is asked. Start one first");
}

}  // namespace fensi::operations
