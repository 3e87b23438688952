// Ranges of row keys that hold what a reader asks for. Pure.
#pragma once

#include <vector>

#include "mapping/lookup.h"
#include "mapping/lookup/key_encoding.h"
#include "mapping/lookup/order.h"

namespace fensi::mapping {

/// All keys that begin so; `intervals` bound the bytes of the part behind the prefixes, when they are known. Ordered,
/// none overlaps another.
std::vector<KeyRange> RangesOf(const Template& row, const EncodedKey& key,
                               const std::optional<std::vector<Interval>>& intervals);

/// Do ranges over bounds of this part hold nothing beyond them?
bool RangeSuffices(const Template& row, size_t part);

}  // namespace fensi::mapping
