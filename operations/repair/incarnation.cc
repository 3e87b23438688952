#include "operations/repair/incarnation.h"

#include <optional>

#include "indexer/remedies.h"

namespace fensi::operations {

Result<std::string> NeededIncarnation(const mapping::Index& index, const indexer::IndexMeta& meta) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<indexer::IndexMeta::Begun> known, meta.Known());
  if (known.has_value() && !known->reads_source && !index.shared()) {
    return Status(StatusCode::kConfiguration, "index " + index.name() +
                                                  " began without its source table in the store, so that fensi cannot "
                                                  "compute its entries. With the source in the store, " +
                                                  indexer::RebuildRemedy(index));
  }
  if (known.has_value() && !known->incarnation.empty()) return known->incarnation;
  return Status(StatusCode::kConfiguration,
                "index " + index.name() +
                    " was not yet started by a 'fensi run' of this version. Start 'fensi run' "
                    "of the index, then run the same command again");
}

}  // namespace fensi::operations
