#include "operations/verify/incarnation.h"

#include <optional>

#include "indexer/index_meta.h"

namespace fensi::operations {

using mapping::Index;

Result<std::string> IncarnationOf(const Index& index, store::Store* store) {
  const Result<std::optional<indexer::IndexMeta::Begun>> known = indexer::IndexMeta(&index, store).Known();
  if (known.status().code() == StatusCode::kNotFound) return std::string();
  FENSI_RETURN_IF_ERROR(known.status());
  return known->has_value() ? (*known)->incarnation : "";
}

Status CheckStillThe(const Index& index, const std::string& incarnation, store::Store* store) {
  FENSI_ASSIGN_OR_RETURN(const std::string now, IncarnationOf(index, store));
  if (incarnation.empty() || now == incarnation) return Status();
  return Status(
      StatusCode::kConfiguration,
      "index " + index.name() +
          (now.empty() ? " was dropped, or its record was deleted, while this command ran. If the index still "
                         "exists, start its 'fensi run', and run"
                       : " was dropped and created again while this command ran. Run") +
          " the same command again");
}

}  // namespace fensi::operations
