// Parses and formats times for readers. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapping/source_row.h"

namespace fensi::mapping {

/// Milliseconds of a time, from a day to a millisecond: 2016-12-19, 2016-12-19T08:00, …T08:00:00.000Z; in UTC, or with
/// an offset: 2016-12-19T08:00+08:00.
std::optional<int64_t> ParseInstant(std::string_view text);

/// The shortest text that ParseInstant reads as this time: 2016-12-19, 2016-12-19T08:00Z, 2016-12-19T08:00:00.074Z.
/// Absent: outside the years 0 to 9999.
std::optional<std::string> FormatInstant(int64_t millis);

// Reports source puts that no index accepts, because their timestamps leave no room for later versions.

/// The report of a put above kMaxSourceTime, whose column counts as empty.
Unmappable TooNew(std::string_view family, std::string_view qualifier, int64_t timestamp);

}  // namespace fensi::mapping
