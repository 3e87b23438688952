#include "cli/verify/incarnation.h"

#include <optional>

#include "indexer/index_meta.h"

namespace fensi::cli {

using mapping::Index;

Result<std::string> IncarnationOf(const Index& index, store::Store* store) {
  const Result<std::optional<indexer::IndexMeta::Begun>> known = indexer::IndexMeta(&index, store).Known();
  if (known.status().code() == StatusCode::kNotFound) return std::string();
  FENSI_RETURN_IF_ERROR(known.status());
  return known->has_value() ? (*known)->incarnation : "";
}

Status CheckStillThe(const Index& index, const std::string& incarnation, store::Store* store) {
  const Result<std::string> now = IncarnationOf(index, store);
  FENSI_RETURN_IF_ERROR(now.status());
  if (incarnation.empty() || *now == incarnation) return Status();
  return Status(StatusCode::kConfiguration,
                "index " + index.name() + " was made anew while it was compared; compare it once more");
}

}  // namespace fensi::cli
