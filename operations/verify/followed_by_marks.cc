#include "operations/verify/followed_by_marks.h"

#include <memory>

#include "meta/versioned_meta_row.h"
#include "operations/access/clock_check.h"
#include "sweep/compare/judge.h"

namespace fensi::operations {

std::function<Result<bool>(int64_t)> FollowedByMarks(const mapping::Index& index, const std::string& incarnation,
                                                     store::Store* store, const MarkOptions& options) {
  if (incarnation.empty() || options.embedded) return {};
  const auto followed = std::make_shared<sweep::Followed>(
      meta::IndexRecord(meta::VersionedMetaRow(store, options.meta_table, meta::IndexRow(index.name()))), incarnation,
      SystemClock(), options.clock_skew);
  return [followed, name = index.name(), skew = options.clock_skew](int64_t time) -> Result<bool> {
    const Result<bool> has = followed->Has(time);
    // M18: with a clock that is behind, the index seems to have followed at once.
    if (has.ok() && followed->complete()) {
      FENSI_RETURN_IF_ERROR(CheckClock(name, *followed->complete(), skew, *SystemClock()));
    }
    return has;
  };
}

}  // namespace fensi::operations
