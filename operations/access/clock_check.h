// Refuses the clock of this machine if the watermark of an index shows that the clock is behind. Pure, except for the
// clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/status.h"

namespace fensi::operations {

/// kConfiguration with the remedy: `complete`, the watermark of the index in milliseconds since the epoch, is later
/// than now by more than `skew`. Then it passes every moment of this clock, whether changes still arrive or not (M16,
/// M18).
Status CheckClock(const std::string& index, int64_t complete, std::chrono::milliseconds skew, const Clock& clock);

}  // namespace fensi::operations
