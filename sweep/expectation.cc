#include "sweep/expectation.h"

namespace fensi::sweep {
namespace {

constexpr int64_t kDayMillis = 86'400'000;
constexpr int64_t kAboutToExpireMillis = 2'000;
/// More than clocks of region servers differ: HBase lets none in by more (hbase.master.maxclockskew).
constexpr int64_t kStillShownMillis = 30'000;

}  // namespace

Expectation::Expectation(const mapping::Index& index, int64_t now_millis)
    : expires_from_(now_millis - kStillShownMillis), expires_to_(now_millis + kAboutToExpireMillis) {
  const std::optional<int64_t> keep = index.keep_millis();
  if (!keep) return;
  from_ = now_millis - *keep;
  to_ = now_millis + kDayMillis;
}

}  // namespace fensi::sweep
