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

/// "the offset 1234", "2026-01-31T12:00:00Z".
std::string PositionText(const Position& position);

/// "2026-01-31T12:00:00.123Z".
std::string TimeText(int64_t millis);

}  // namespace fensi::cli
