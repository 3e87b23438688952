#include "cli/access/position.h"

#include <charconv>
#include <cstdio>
#include <ctime>

namespace fensi::cli {
namespace {

bool ReadTime(const std::string& text, int64_t* millis) {
  for (const char* format :
       {"%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%MZ", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm parts{};
    const char* end = strptime(text.c_str(), format, &parts);
    if (end == nullptr || *end != '\0') continue;
    const std::tm given = parts;
    *millis = static_cast<int64_t>(timegm(&parts)) * 1000;
    // timegm turns 30 February into 2 March; such a date is a slip of the pen.
    return given.tm_mday == parts.tm_mday && given.tm_mon == parts.tm_mon;
  }
  return false;
}

}  // namespace

Result<Position> ParsePosition(const std::string& text) {
  if (text == "earliest") return Position{Position::Kind::kEarliest, 0};
  if (text == "latest") return Position{Position::Kind::kLatest, 0};
  int64_t offset = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), offset);
  if (error == std::errc() && end == text.data() + text.size() && offset >= 0) {
    return Position{Position::Kind::kOffset, offset};
  }
  int64_t millis = 0;
  if (ReadTime(text, &millis)) return Position{Position::Kind::kTime, millis};
  return Status(StatusCode::kInvalidArgument,
                "write earliest, latest, an offset, or a time such as 2026-01-31T12:00:00Z");
}

Result<int64_t> ParseTime(const std::string& text, const char* flag) {
  const Result<Position> position = ParsePosition(text);
  const bool one =
      position.ok() && (position->kind == Position::Kind::kTime || position->kind == Position::Kind::kOffset);
  if (one) return position->value;
  return Status(StatusCode::kInvalidArgument,
                std::string(flag) + "=" + text + ": a time such as 2026-01-31T12:00:00Z, or milliseconds since 1970");
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
