#include "cli/verify/followed_by_marks.h"

#include <chrono>
#include <memory>

#include "cli/access/stores.h"
#include "cli/flags/flags.h"
#include "meta/meta_table.h"
#include "sweep/followed.h"

namespace fensi::cli {

std::function<Result<bool>(int64_t)> FollowedByMarks(const mapping::Index& index, const std::string& incarnation,
                                                     store::Store* store) {
  if (incarnation.empty() || StoreIsEmbedded(FLAGS_store)) return {};
  const auto followed = std::make_shared<sweep::Followed>(
      meta::IndexRecord(meta::SharedRow(store, FLAGS_meta_table, meta::IndexRow(index.name()))), incarnation,
      SystemClock(), std::chrono::milliseconds(FLAGS_clock_skew_ms));
  return [followed](int64_t time) { return followed->Has(time); };
}

}  // namespace fensi::cli
