#include "operations/access/position.h"

#include <cstdio>
#include <ctime>

#include "base/clock.h"
#include "base/text.h"
#include "mapping/instant.h"

namespace fensi::operations {
namespace {

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
  const int64_t count = ParseWhole<int64_t>(text.substr(1, text.size() - 2)).value_or(-1);
  int64_t millis = 0;
  if (count < 0 || unit <= 0 || __builtin_mul_overflow(count, unit, &millis) || millis > now_millis) {
    return std::nullopt;
  }
  return now_millis - millis;
}

std::string AsDay(std::string_view text) {
  const bool digits = text.size() == 8 && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits || !(text.starts_with("19") || text.starts_with("20"))) return "";
  const std::string day =
      std::string(text.substr(0, 4)) + "-" + std::string(text.substr(4, 2)) + "-" + std::string(text.substr(6));
  return mapping::ParseInstant(day) ? day : "";
}

Result<Position> ParsePosition(const std::string& text) {
  if (text == "earliest") return Position{Position::Kind::kEarliest, 0};
  if (text == "latest") return Position{Position::Kind::kLatest, 0};
  const auto offset = ParseWhole<int64_t>(text);
  if (offset && *offset >= 0) return Position{Position::Kind::kOffset, *offset};
  const int64_t now = SystemClock()->WallMillis();
  if (const std::optional<int64_t> ago = ParseAgo(text, now)) return Position{Position::Kind::kTime, *ago};
  const std::optional<int64_t> time = mapping::ParseInstant(text);
  if (time && *time >= 0) return Position{Position::Kind::kTime, *time};
  return Status(StatusCode::kInvalidArgument,
                "'" + text +
                    "' is no place to start from. Write earliest, latest, an offset, or a time such as "
                    "2026-01-31T12:00:00Z, 2026-01-31T20:00+08:00, now or -1d");
}

Result<int64_t> ParseTime(const std::string& text, const char* flag) {
  if (const std::string day = AsDay(text); !day.empty()) {
    return Status(StatusCode::kInvalidArgument, std::string(flag) + "=" + text +
                                                    " would be read as milliseconds since 1970, not as a day. Write " +
                                                    std::string(flag) + "=" + day);
  }
  const Result<Position> position = ParsePosition(text);
  const bool one =
      position.ok() && (position->kind == Position::Kind::kTime || position->kind == Position::Kind::kOffset);
  if (one) return position->value;
  return Status(StatusCode::kInvalidArgument,
                std::string(flag) + "=" + text +
                    " is no time. Write a time such as 2026-01-31T12:00:00Z, 2026-01-31T20:00+08:00, now or -1d, or "
                    "milliseconds since 1970");
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

}  // namespace fensi::operations
