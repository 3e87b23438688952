// How long after logging HBase makes a change visible, and whether a source read may be too early.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "consumer/change_source.h"

namespace fensi::indexer {

/// The reads of the source for an ambiguous row: the first may come too early.
enum class Look { kFirst, kSecond };

/// A change is visible at the source at the latest this long after we received it.
constexpr std::chrono::milliseconds kVisibilityDelay{2'000};
/// Age by the broker's clock after which a message's change is visible, however wrong the clocks are.
constexpr int64_t kVisibilityDelayMaxMillis = 60'000;

/// True if the change may not be visible yet.
inline bool MayNotBeVisibleYet(const consumer::Record& record, const Clock& clock) {
  return record.broker_time == 0 || clock.WallMillis() - record.broker_time < kVisibilityDelayMaxMillis;
}

}  // namespace fensi::indexer
