// Inverses of functions that give one number for several, or lose no more than their rounding.
#pragma once

#include <cstdint>

#include "mapping/functions/function.h"

namespace fensi::mapping {

/// From results to all inputs of `x / unit`, rounded down, within 64 bits. False: none, or unknown.
bool BackThroughDivision(int64_t unit, Numbers* numbers);
/// The same for "the largest multiple of unit at or below".
bool BackThroughFloor(int64_t unit, Numbers* numbers);
/// The same for `x * factor`. False: none, or a cycle of which nothing is left.
bool BackThroughProduct(int64_t factor, Numbers* numbers);

}  // namespace fensi::mapping
