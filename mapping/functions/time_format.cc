#include "mapping/functions/time_format.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace fensi::mapping {
namespace {

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kDay = 24 * 60 * kMinute;

}  // namespace

int64_t OffsetMillis(const Arguments& a, int64_t instant) {
  if (a.size() < 2) return 0;
  return a[1].zone != nullptr ? a[1].zone->OffsetSeconds(instant) * kSecond : a[1].number * kMinute;
}

std::optional<int64_t> InstantOf(const Arguments& a, int64_t local) {
  // Clocks are further than a day from UTC nowhere, and are not set twice within two days.
  const int64_t before = OffsetMillis(a, local - kDay), behind = OffsetMillis(a, local + kDay);
  for (const int64_t offset : {std::max(before, behind), std::min(before, behind)}) {
    if (OffsetMillis(a, local - offset) == offset) return local - offset;
  }
  return std::nullopt;
}

std::string NoSuchTime(std::string_view text, const std::string& zone) {
  return Shown(text) + " is a time that no clock in " + zone + " showed, because clocks were set forward";
}

namespace {

using std::chrono::days;
using std::chrono::sys_days;

// The calendar fields of an instant in the order of kFields.
using Fields = std::array<int64_t, 9>;

struct Field {
  char letter;
  size_t width;
  int64_t min, max;
  int rank;  // 0: the heaviest; a format keeps order when ranks rise one by one from 0
};
constexpr std::array<Field, 9> kFields{{{'Y', 4, 0, 9999, 0},
                                        {'m', 2, 1, 12, 1},
                                        {'d', 2, 1, 31, 2},
                                        {'H', 2, 0, 23, 3},
                                        {'M', 2, 0, 59, 4},
                                        {'S', 2, 0, 59, 5},
                                        {'L', 3, 0, 999, 6},
                                        {'j', 3, 1, 366, -1},
                                        {'y', 2, 0, 99, -1}}};

constexpr size_t kDayOfYear = 7;
constexpr size_t kShortYear = 8;

constexpr std::array<int64_t, 7> kUnits{366 * kDay, 31 * kDay, kDay, 3'600'000, 60'000, 1000, 1};  // by rank

int FieldOf(char letter) {
  for (size_t i = 0; i < kFields.size(); ++i) {
    if (kFields[i].letter == letter) return static_cast<int>(i);
  }
  return -1;
}

// Calls visit(field or -1, literal byte) for each element of a format; stops when it answers false.
template <typename Visit>
bool ForEach(std::string_view format, const Visit& visit) {
  for (size_t i = 0; i < format.size(); ++i) {
    const bool field = format[i] == '%' && i + 1 < format.size() && format[i + 1] != '%';
    if (format[i] == '%') ++i;
    const char c = i < format.size() ? format[i] : '%';
    if (!visit(field ? FieldOf(c) : -1, c)) return false;
  }
  return true;
}

std::array<bool, kFields.size()> FieldsIn(std::string_view format) {
  std::array<bool, kFields.size()> has{};
  ForEach(format, [&has](int field, char) {
    if (field >= 0) has[static_cast<size_t>(field)] = true;
    return true;
  });
  return has;
}

Fields Split(int64_t millis) {
  const std::chrono::sys_time<std::chrono::milliseconds> instant{std::chrono::milliseconds(millis)};
  const sys_days day = std::chrono::floor<days>(instant);
  const std::chrono::year_month_day date(day);
  const int64_t rest = (instant - day).count();
  const auto year = static_cast<int>(date.year());
  const sys_days new_year = date.year() / std::chrono::January / 1;
  return {year,
          static_cast<unsigned>(date.month()),
          static_cast<unsigned>(date.day()),
          rest / 3'600'000,
          rest / 60'000 % 60,
          rest / 1000 % 60,
          rest % 1000,
          (day - new_year).count() + 1,
          year % 100};
}

bool ReadDigits(std::string_view* text, size_t width, int64_t* out) {
  if (text->size() < width) return false;
  *out = 0;
  for (char c : text->substr(0, width)) {
    if (c < '0' || c > '9') return false;
    *out = *out * 10 + (c - '0');
  }
  text->remove_prefix(width);
  return true;
}

}  // namespace

std::string UnknownTimeField(std::string_view format) {
  for (size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    ++i;
    if (i == format.size()) return "%";
    if (format[i] != '%' && FieldOf(format[i]) < 0) return std::string(format.substr(i - 1, 2));
  }
  return "";
}

bool HasTimeField(std::string_view format) {
  return !ForEach(format, [](int field, char) { return field < 0; });
}

bool TimeCanBeRead(std::string_view format) {
  std::array<bool, kFields.size()> read{};
  return ForEach(format, [&read](int field, char) {
    if (field < 0) return true;
    const auto i = static_cast<size_t>(field);
    return kFields[i].rank >= 0 && !std::exchange(read[i], true);
  });
}

int64_t TimeUnit(std::string_view format) {
  std::array<bool, kFields.size()> has = FieldsIn(format);
  if (has[0] && has[kDayOfYear]) has[1] = has[2] = true;
  size_t known = 0;
  while (known < kUnits.size() && has[known]) ++known;
  return known == 0 ? 0 : kUnits[known - 1];
}

TextedTimes TimesOfOneText(std::string_view format) {
  const std::array<bool, kFields.size()> has = FieldsIn(format);
  const bool unread = has[kDayOfYear] || has[kShortYear];
  if (has[0]) return {unread ? 0 : TimeUnit(format), 0};
  constexpr size_t kHour = 3;  // what is larger has no fixed length
  size_t known = kHour;
  while (known < kUnits.size() && !has[known]) ++known;
  if (known == kUnits.size()) return {};
  const int64_t cycle = kUnits[known - 1];
  while (known < kUnits.size() && has[known]) ++known;
  return {kUnits[known - 1], cycle};
}

size_t TimeWidth(std::string_view format) {
  size_t width = 0;
  ForEach(format, [&width](int field, char) {
    width += field < 0 ? 1 : kFields[static_cast<size_t>(field)].width;
    return true;
  });
  return width;
}

bool TimeKeepsOrder(std::string_view format) {
  int next = 0;
  const auto follows = [&next](int field, char) {
    if (field < 0) return true;
    const bool in_order = kFields[static_cast<size_t>(field)].rank == next;
    ++next;
    return in_order;
  };
  return ForEach(format, follows) && next > 0;
}

std::optional<int64_t> ParseZone(std::string_view zone) {
  if (zone == "UTC" || zone == "Z") return 0;
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return std::nullopt;
  const int64_t sign = zone[0] == '-' ? -1 : 1;
  int64_t hours = 0;
  int64_t minutes = 0;
  std::string_view h = zone.substr(1, 2);
  std::string_view m = zone.substr(4, 2);
  if (!ReadDigits(&h, 2, &hours) || !ReadDigits(&m, 2, &minutes) || hours > 18 || minutes > 59) return std::nullopt;
  return sign * (hours * 60 + minutes);
}

bool FormatTime(std::string_view format, int64_t millis, char* out) {
  if (millis < kYear0Millis || millis >= kYear10000Millis) return false;
  const Fields fields = Split(millis);
  return ForEach(format, [&](int field, char literal) {
    if (field < 0) {
      *out++ = literal;
      return true;
    }
    const size_t width = kFields[static_cast<size_t>(field)].width;
    int64_t rest = fields[static_cast<size_t>(field)];
    for (size_t i = width; i-- > 0; rest /= 10) out[i] = static_cast<char>('0' + rest % 10);
    out += width;
    return true;
  });
}

std::optional<int64_t> ParseTime(std::string_view format, std::string_view text) {
  Fields fields{1970, 1, 1, 0, 0, 0, 0, 0, 0};
  const bool read = ForEach(format, [&](int field, char literal) {
    if (field < 0) {
      if (!text.starts_with(literal)) return false;
      text.remove_prefix(1);
      return true;
    }
    const Field& known = kFields[static_cast<size_t>(field)];
    int64_t& out = fields[static_cast<size_t>(field)];
    return ReadDigits(&text, known.width, &out) && out >= known.min && out <= known.max;
  });
  if (!read || !text.empty()) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(fields[0])),
                                         std::chrono::month(static_cast<unsigned>(fields[1])),
                                         std::chrono::day(static_cast<unsigned>(fields[2]))};
  if (!date.ok()) return std::nullopt;
  const int64_t day = sys_days(date).time_since_epoch().count();
  return (((day * 24 + fields[3]) * 60 + fields[4]) * 60 + fields[5]) * 1000 + fields[6];
}

}  // namespace fensi::mapping
