// A place in a topic as a person names it. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace fensi::cli {

struct Position {
  enum class Kind { kEarliest, kLatest, kOffset, kTime } kind = Kind::kEarliest;
  int64_t value = 0;  // the offset, or milliseconds since the epoch
};

/// earliest, latest, 1234, 2026-01-31, 2026-01-31T12:00:00Z (seconds and Z may be left out; always UTC).
Result<Position> ParsePosition(const std::string& text);

/// A time, or milliseconds since the epoch as a number; `flag` names it where it is neither.
Result<int64_t> ParseTime(const std::string& text, const char* flag);

/// "the offset 1234", "2026-01-31T12:00:00Z".
std::string PositionText(const Position& position);

/// "2026-01-31T12:00:00.123Z".
std::string TimeText(int64_t millis);

}  // namespace fensi::cli
