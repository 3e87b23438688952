// Times as readers write them: bounds of a lookup. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fensi::mapping {

/// Milliseconds of a time, from a day to a millisecond: 2016-12-19, 2016-12-19T08:00, …T08:00:00.000Z; in UTC, or at an
/// offset that stands behind it: 2016-12-19T08:00+08:00.
std::optional<int64_t> ParseInstant(std::string_view text);

}  // namespace fensi::mapping
