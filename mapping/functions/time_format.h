// Formats and parses times with the few fields that a row key needs, without the machine's locale or zone files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapping/functions/function.h"

namespace fensi::mapping {

// Converts between instants and local time. Pure.

/// Milliseconds beyond UTC in the zone of the second argument; without one 0.
int64_t OffsetMillis(const Arguments& arguments, int64_t instant);

/// The instant at which clocks there show `local`, the first of two if they were set back. Absent: never, because they
/// were set forward over it.
std::optional<int64_t> InstantOf(const Arguments& arguments, int64_t local);

/// What a person reads of such a local time.
std::string NoSuchTime(std::string_view text, const std::string& zone);

// Formats and parses times.

/// The first instants of the years 0 and 10000: only times between can be written.
inline constexpr int64_t kYear0Millis = -62'167'219'200'000;
inline constexpr int64_t kYear10000Millis = 253'402'300'800'000;

/// The first unknown field, as "%q"; empty: the format is valid.
std::string UnknownTimeField(std::string_view format);
/// True if the text has any field of the time.
bool HasTimeField(std::string_view format);
/// True if the format determines the instant. Not with %j or %y, which cannot be parsed, or a repeated field.
bool TimeCanBeRead(std::string_view format);
/// How long a text stays the same, in milliseconds; 0: it repeats.
int64_t TimeUnit(std::string_view format);
/// Times of one text are within `unit` milliseconds after the time that ParseTime reads from it; with a cycle, also
/// multiples of it away. 0: unknown.
struct TextedTimes {
  int64_t unit = 0;
  int64_t cycle = 0;
};
TextedTimes TimesOfOneText(std::string_view format);
/// Width of a formatted time (every field has a fixed one).
size_t TimeWidth(std::string_view format);
/// True if formatted times sort in the order of the times.
bool TimeKeepsOrder(std::string_view format);

/// Minutes east of UTC of "UTC", "Z" or "+08:00".
std::optional<int64_t> ParseZone(std::string_view zone);

/// Writes TimeWidth(format) bytes; false: the year is not in 0..9999.
bool FormatTime(std::string_view format, int64_t millis, char* out);
/// Milliseconds since the epoch; fields that the format lacks are those of 1970-01-01 00:00.
std::optional<int64_t> ParseTime(std::string_view format, std::string_view text);

}  // namespace fensi::mapping
