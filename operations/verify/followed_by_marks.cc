#include "operations/verify/followed_by_marks.h"

#include <memory>

#include "meta/versioned_meta_row.h"
#include "sweep/compare/judge.h"

namespace fensi::operations {

std::function<Result<bool>(int64_t)> FollowedByMarks(const mapping::Index& index, const std::string& incarnation,
                                                     store::Store* store, const MarkOptions& options) {
  if (incarnation.empty() || options.embedded) return {};
  const auto followed = std::make_shared<sweep::Followed>(
      meta::IndexRecord(meta::VersionedMetaRow(store, options.meta_table, meta::IndexRow(index.name()))), incarnation,
      SystemClock(), options.clock_skew);
  return [followed](int64_t time) { return followed->Has(time); };
}

}  // namespace fensi::operations
