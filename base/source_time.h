// Which timestamps of source cells an index takes, and what room that leaves for the versions of its entries.
#pragma once

#include <cstdint>

#include "base/hbase_limits.h"

namespace fensi {

/// Versions above the newest timestamp of a source row. Each change of the row takes one of them, an ambiguous change
/// takes two: the room lasts 17 years at 1,000 ambiguous changes of one row a second. More room would refuse times that
/// clients use: INT64_MAX minus the milliseconds since 1970 orders versions from the oldest to the newest.
constexpr int64_t kVersionRoom = int64_t{1} << 40;
/// The newest timestamp of a source cell that an index takes: no later change of the row could follow a put above it.
constexpr int64_t kMaxSourceTime = INT64_MAX - kVersionRoom;
/// Where a cell above kMaxSourceTime stands in an index: above all that the index takes.
constexpr int64_t kAboveSourceTimes = kMaxSourceTime + 1;
/// The newest cell of an index that a repair passes: half of the room stays for later changes.
constexpr int64_t kMaxPassedVersion = kMaxSourceTime + kVersionRoom / 2;

}  // namespace fensi
