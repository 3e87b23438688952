// The way back through functions that give one number for several, or lose no more than where they begin to count.
#pragma once

#include <cstdint>

#include "mapping/functions/function.h"

namespace fensi::mapping {

/// From results to all that `x / unit`, rounded down, makes them of. False: they leave 64 bits.
bool BackThroughDivision(int64_t unit, Numbers* numbers);
/// … that "the largest multiple of unit at or below" makes them of.
bool BackThroughFloor(int64_t unit, Numbers* numbers);
/// … that `x * factor` makes them of. False: none, or they have a cycle of which nothing is left.
bool BackThroughProduct(int64_t factor, Numbers* numbers);

}  // namespace fensi::mapping
