// What the clocks of a place show at an instant, and when they show something. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/functions/function.h"

namespace fensi::mapping {

/// Milliseconds beyond UTC in the zone that the second argument names; without one 0.
int64_t OffsetMillis(const Arguments& arguments, int64_t instant);

/// The instant at which clocks there show `local`, the first of two where they were set back between. Nothing: they
/// never do, because they were set forward over it.
std::optional<int64_t> InstantOf(const Arguments& arguments, int64_t local);

}  // namespace fensi::mapping
