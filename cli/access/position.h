// A place in a topic, or a time, as a person names it. Pure, but for the clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::cli {

struct Position {
  enum class Kind { kEarliest, kLatest, kOffset, kTime } kind = Kind::kEarliest;
  int64_t value = 0;  // the offset, or milliseconds since the epoch
};

/// "now", or as long before it as "-90s", "-15m", "-2h", "-1d" or "-1w" say; nothing: it is something else.
std::optional<int64_t> ParseAgo(std::string_view text, int64_t now_millis);

/// "2026-11-19" for "20261119", which as a number would be something else; empty: it does not look like a day.
std::string AsDay(std::string_view text);

/// earliest, latest, 1234, a time since 1970 that mapping::ParseInstant reads, or what ParseAgo reads, by the clock of
/// this machine.
Result<Position> ParsePosition(const std::string& text);

/// A time, or milliseconds since the epoch as a number; `flag` names it where it is neither.
Result<int64_t> ParseTime(const std::string& text, const char* flag);

/// "the offset 1234", "2026-01-31T12:00:00Z".
std::string PositionText(const Position& position);

/// "2026-01-31T12:00:00.123Z".
std::string TimeText(int64_t millis);

}  // namespace fensi::cli
