// Times as text: the few fields a row key needs, without the machine's locale or zone files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fensi::mapping {

/// The first instants of the years 0 and 10000: what can be written lies between.
inline constexpr int64_t kYear0Millis = -62'167'219'200'000;
inline constexpr int64_t kYear10000Millis = 253'402'300'800'000;

/// The letter of the first field that is not known, as "%q"; empty: the format is good.
std::string UnknownTimeField(std::string_view format);
/// Does any part of the time stand in it?
bool HasTimeField(std::string_view format);
/// Does the format say which instant is meant? Not with %j or %y, which nothing reads, or a field that stands twice.
bool TimeCanBeRead(std::string_view format);
/// How long a text stays what it is, in milliseconds; 0: it comes round again.
int64_t TimeUnit(std::string_view format);
/// Times of one text lie within `unit` milliseconds, behind the time that ParseTime reads in it; with a cycle, also any
/// number of cycles away. 0: nothing is known.
struct TextedTimes {
  int64_t unit = 0;
  int64_t cycle = 0;
};
TextedTimes TimesOfOneText(std::string_view format);
/// Width of a formatted time (every field has a fixed one).
size_t TimeWidth(std::string_view format);
/// Do times format in their order, from the first field to the last?
bool TimeKeepsOrder(std::string_view format);

/// Minutes east of UTC of "UTC", "Z" or "+08:00".
std::optional<int64_t> ParseZone(std::string_view zone);

/// Writes TimeWidth(format) bytes; false: the year is not in 0..9999.
bool FormatTime(std::string_view format, int64_t millis, char* out);
/// Milliseconds since the epoch; fields that the format lacks are those of 1970-01-01 00:00.
std::optional<int64_t> ParseTime(std::string_view format, std::string_view text);

}  // namespace fensi::mapping
