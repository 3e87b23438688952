#include "cli/access/position.h"

#include <charconv>
#include <cstdio>
#include <ctime>

#include "base/clock.h"

namespace fensi::cli {
namespace {

/// Two digits; -1: they are none.
int TwoDigits(std::string_view text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 0 ? number : -1;
}

/// Takes an offset like +08:00 from the end of a text; minutes east of UTC.
int64_t TakeOffset(std::string* text) {
  constexpr size_t kLength = std::string_view("+08:00").size();
  if (text->size() <= kLength) return 0;
  const std::string_view zone = std::string_view(*text).substr(text->size() - kLength);
  const char sign = zone[0];
  const int hours = TwoDigits(zone.substr(1, 2)), minutes = TwoDigits(zone.substr(4, 2));
  const bool good = (sign == '+' || sign == '-') && zone[3] == ':' && hours >= 0 && minutes >= 0;
  if (!good || hours > 14 || minutes > 59) return 0;
  text->resize(text->size() - kLength);
  return (sign == '-' ? -1 : 1) * (hours * 60 + minutes);
}

bool ReadTime(std::string text, int64_t* millis) {
  constexpr int64_t kMinute = 60'000;
  const int64_t east = TakeOffset(&text);
  for (const char* format :
       {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%MZ", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm parts{};
    const char* end = strptime(text.c_str(), format, &parts);
    if (end == nullptr || *end != '\0') continue;
    const std::tm given = parts;
    *millis = static_cast<int64_t>(timegm(&parts)) * 1000 - east * kMinute;
    // timegm turns 30 February into 2 March; such a date is a slip of the pen.
    return given.tm_mday == parts.tm_mday && given.tm_mon == parts.tm_mon;
  }
  return false;
}

int64_t MillisOf(char unit) {
  constexpr int64_t kSecond = 1000;
  switch (unit) {
    case 's':
      return kSecond;
    case 'm':
      return 60 * kSecond;
    case 'h':
      return 3600 * kSecond;
    case 'd':
      return 24 * 3600 * kSecond;
    case 'w':
      return 7 * 24 * 3600 * kSecond;
    default:
      return 0;
  }
}

}  // namespace

std::optional<int64_t> ParseAgo(std::string_view text, int64_t now_millis) {
  if (text == "now") return now_millis;
  if (text.size() < 3 || text[0] != '-') return std::nullopt;
  const int64_t unit = MillisOf(text.back());
  int64_t count = 0, millis = 0;
  const char* const last = text.data() + text.size() - 1;
  const auto [end, error] = std::from_chars(text.data() + 1, last, count);
  const bool read = error == std::errc() && end == last && count >= 0 && unit > 0;
  if (!read || __builtin_mul_overflow(count, unit, &millis) || millis > now_millis) return std::nullopt;
  return now_millis - millis;
}

Result<Position> ParsePosition(const std::string& text) {
  if (text == "earliest") return Position{Position::Kind::kEarliest, 0};
  if (text == "latest") return Position{Position::Kind::kLatest, 0};
  int64_t offset = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
  if (error == std::errc() && end == text.data() + text.size() && offset >= 0) {
    return Position{Position::Kind::kOffset, offset};
  }
  const int64_t now = SystemClock()->WallMillis();
  if (const std::optional<int64_t> ago = ParseAgo(text, now)) return Position{Position::Kind::kTime, *ago};
  int64_t millis = 0;
  if (ReadTime(text, &millis)) return Position{Position::Kind::kTime, millis};
  return Status(
      StatusCode::kInvalidArgument,
      "write earliest, latest, an offset, or a time such as 2026-01-31T12:00:00Z, 2026-01-31T20:00+08:00, now or -1d");
}

Result<int64_t> ParseTime(const std::string& text, const char* flag) {
  const Result<Position> position = ParsePosition(text);
  const bool one =
      position.ok() && (position->kind == Position::Kind::kTime || position->kind == Position::Kind::kOffset);
  if (one) return position->value;
  return Status(
      StatusCode::kInvalidArgument,
      std::string(flag) + "=" + text +
          ": a time such as 2026-01-31T12:00:00Z, 2026-01-31T20:00+08:00, now or -1d, or milliseconds since 1970");
}

std::string PositionText(const Position& position) {
  switch (position.kind) {
    case Position::Kind::kEarliest:
      return "the earliest offset";
    case Position::Kind::kLatest:
      return "the latest offset";
    case Position::Kind::kOffset:
      return "offset " + std::to_string(position.value);
    case Position::Kind::kTime:
      return TimeText(position.value);
  }
  return "";
}

std::string TimeText(int64_t millis) {
  const std::time_t seconds = static_cast<std::time_t>(millis / 1000);
  std::tm parts{};
  if (gmtime_r(&seconds, &parts) == nullptr) return std::to_string(millis);
  char day[64], text[96];
  if (std::strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &parts) == 0) return std::to_string(millis);
  std::snprintf(text, sizeof(text), "%s.%03dZ", day, static_cast<int>(millis % 1000));
  return text;
}

}  // namespace fensi::cli
