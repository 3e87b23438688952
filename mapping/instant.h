// Times as readers write and see them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fensi::mapping {

/// Milliseconds of a time, from a day to a millisecond: 2016-12-19, 2016-12-19T08:00, …T08:00:00.000Z; in UTC, or at an
/// offset that stands behind it: 2016-12-19T08:00+08:00.
std::optional<int64_t> ParseInstant(std::string_view text);

/// What ParseInstant reads as this time, no longer than it has to be: 2016-12-19, 2016-12-19T08:00Z,
/// 2016-12-19T08:00:00.074Z. Nothing: outside the years 0 to 9999.
std::optional<std::string> InstantText(int64_t millis);

}  // namespace fensi::mapping
