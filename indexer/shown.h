// When a change that we are told of is shown to who reads the source: HBase logs it first.
#pragma once

#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "consumer/change_source.h"

namespace fensi::indexer {

/// At the source, in doubt: a first look may come too early.
enum class Look { kFirst, kSecond };

/// A change is visible at the source at the latest this long after we were told of it.
constexpr std::chrono::milliseconds kShownAfter{2'000};
/// A message that its broker took so long ago was certainly shown, whatever the clocks.
constexpr int64_t kSurelyShownMillis = 60'000;

/// It may not be shown yet.
inline bool IsYoung(const consumer::Record& record, const Clock& clock) {
  return record.broker_time == 0 || clock.WallMillis() - record.broker_time < kSurelyShownMillis;
}

}  // namespace fensi::indexer
