// Parses a position in a topic, or a time, as a person writes it. Pure, except for the clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi::operations {

struct Position {
  enum class Kind { kEarliest, kLatest, kOffset, kTime } kind = Kind::kEarliest;
  int64_t value = 0;  // offset, or milliseconds since the epoch
};

/// Parses "now" and times before it: "-90s", "-15m", "-2h", "-1d", "-1w"; absent: another form.
std::optional<int64_t> ParseAgo(std::string_view text, int64_t now_millis);

/// "2026-11-19" for "20261119", which as a number would be something else; empty: no such day.
std::string AsDay(std::string_view text);

/// Parses earliest, latest, 1234, a time since 1970 that mapping::ParseInstant reads, or a time for ParseAgo by the
/// clock of this machine.
Result<Position> ParsePosition(const std::string& text);

/// Parses a time, or milliseconds since the epoch as a number; `flag` names it in the error.
Result<int64_t> ParseTime(const std::string& text, const char* flag);

/// "the offset 1234", "2026-01-31T12:00:00Z".
std::string PositionText(const Position& position);

/// "2026-01-31T12:00:00.123Z".
std::string TimeText(int64_t millis);

}  // namespace fensi::operations
