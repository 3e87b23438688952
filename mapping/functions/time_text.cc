// Times as other systems write them: ISO 8601 with offset and fraction, and numbers of other units than seconds.
#include <algorithm>

#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/spread.h"
#include "mapping/functions/time_format.h"

namespace fensi::mapping {
namespace {

constexpr Category kCategory = Category::kTime;
constexpr int64_t kDay = 86'400'000;
constexpr int64_t kMostOffset = 18 * 3'600'000;  // as java.time

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes an ISO 8601 time apart. Every method answers false, or nothing, where it is none.
class IsoReader {
 public:
  explicit IsoReader(std::string_view text) : rest_(text) {}

  /// Milliseconds of the clock that was read; the offset of that clock where it stands behind them.
  std::optional<int64_t> Read(std::optional<int64_t>* offset) {
    const std::optional<int64_t> day = Take("%Y-%m-%d");
    if (!day) return std::nullopt;
    int64_t millis = *day;
    if (!rest_.empty()) {
      if (std::string_view("Tt ").find(rest_[0]) == std::string_view::npos) return std::nullopt;
      rest_.remove_prefix(1);
      const std::optional<int64_t> clock = Clock();
      if (!clock || !Offset(offset)) return std::nullopt;
      millis += *clock;
    }
    return rest_.empty() ? std::optional(millis) : std::nullopt;
  }

 private:
  std::optional<int64_t> Take(std::string_view format) {
    const size_t width = TimeWidth(format);
    if (rest_.size() < width) return std::nullopt;
    const std::optional<int64_t> millis = ParseTime(format, rest_.substr(0, width));
    if (millis) rest_.remove_prefix(width);
    return millis;
  }

  std::optional<int64_t> Clock() {
    std::optional<int64_t> millis = Take("%H:%M");
    if (!millis || !rest_.starts_with(':')) return millis;
    const std::optional<int64_t> seconds = Take(":%S");
    if (!seconds) return std::nullopt;
    *millis += *seconds;
    if (!rest_.starts_with('.') && !rest_.starts_with(',')) return millis;
    rest_.remove_prefix(1);
    const size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0) return std::nullopt;
    for (size_t i = 0, unit = 100; i < digits && unit > 0; ++i, unit /= 10) {
      *millis += (rest_[i] - '0') * static_cast<int64_t>(unit);
    }
    rest_.remove_prefix(digits);
    return millis;
  }

  // Z, +08, +0800, +08:00 or +08:00:30, and behind it the zone that Java's ZonedDateTime adds: [Asia/Shanghai].
  bool Offset(std::optional<int64_t>* offset) {
    if (rest_.empty()) return true;
    if (rest_[0] == 'Z' || rest_[0] == 'z') {
      rest_.remove_prefix(1);
      *offset = 0;
    } else if (rest_[0] == '+' || rest_[0] == '-') {
      const int64_t sign = rest_[0] == '-' ? -1 : 1;
      rest_.remove_prefix(1);
      const std::optional<int64_t> east = OffsetClock();
      if (!east) return false;
      *offset = sign * *east;
    } else {
      return false;
    }
    if (rest_.starts_with('[') && rest_.find(']') == rest_.size() - 1) rest_ = {};
    return true;
  }

  std::optional<int64_t> OffsetClock() {
    std::optional<int64_t> east = Take("%H");
    if (!east) return std::nullopt;
    const bool colon = rest_.starts_with(':');
    if (colon || (!rest_.empty() && IsDigit(rest_[0]))) {
      const std::optional<int64_t> minutes = Take(colon ? ":%M" : "%M");
      if (!minutes) return std::nullopt;
      *east += *minutes;
    }
    if (colon && rest_.starts_with(':')) {
      const std::optional<int64_t> seconds = Take(":%S");
      if (!seconds) return std::nullopt;
      *east += *seconds;
    }
    return *east <= kMostOffset ? east : std::nullopt;
  }

  std::string_view rest_;
};

/// As InstantOf takes them: a format in front of the zone.
Arguments WithZone(const Arguments& a) { return a.empty() ? Arguments() : Arguments{{}, a[0]}; }

Outcome IsoTime(const Arguments& a, Value* v, Scratch* scratch) {
  std::optional<int64_t> offset;
  const std::optional<int64_t> local = IsoReader(v->bytes).Read(&offset);
  if (!local) return Refuse(scratch, Shown(v->bytes) + " is not a time like 2016-12-19T13:29:42.074+08:00");
  if (offset || a.empty()) {
    v->number = *local - offset.value_or(0);
    return Outcome::kValue;
  }
  const std::optional<int64_t> instant = InstantOf(WithZone(a), *local);
  if (!instant) {
    return Refuse(scratch, NoSuchTime(v->bytes, a[0].text));
  }
  v->number = *instant;
  return Outcome::kValue;
}

void IsoTimeShape(const Arguments&, Shape* shape) {
  const Shape before = *shape;
  shape->BecomeNumber(Type::kTime);
  shape->MergeAny();
  if (before.piece) shape->order = Direction::kUp;
  shape->keeps_sign = before.piece;
  shape->least = kYear0Millis - kDay;
  shape->most = kYear10000Millis - 1 + kDay;
}

// Just outside of the years 0 to 9999 of UTC it is a time in one of them far to the east, or to the west.
Inverse BackIsoTime(const Arguments&, Value* v, Scratch* scratch) {
  constexpr std::string_view kFormat = "%Y-%m-%dT%H:%M:%S.%L";
  std::string text(TimeWidth(kFormat), ' ');
  const int64_t east = v->number < kYear0Millis ? kMostOffset : v->number >= kYear10000Millis ? -kMostOffset : 0;
  int64_t local = 0;
  if (__builtin_add_overflow(v->number, east, &local)) return Inverse::kNone;
  if (!FormatTime(kFormat, local, text.data())) return Inverse::kNone;
  v->bytes = scratch->Keep(text + (east == 0 ? "Z" : east > 0 ? "+18:00" : "-18:00"));
  return Inverse::kGood;
}

template <int64_t kParts>
Outcome FromParts(const Arguments&, Value* v, Scratch*) {
  v->number = FloorDivide(v->number, kParts);
  return Outcome::kValue;
}

template <int64_t kParts>
void FromPartsShape(const Arguments&, Shape* shape) {
  shape->type = Type::kTime;
  shape->Merge(BitsOf(static_cast<double>(kParts)));
  shape->least = FloorDivide(shape->least, kParts);
  shape->most = FloorDivide(shape->most, kParts);
}

template <int64_t kParts>
Inverse BackFromParts(const Arguments&, Value* v, Scratch*) {
  return BackToBeginning(kParts, v);
}

template <int64_t kParts>
bool FromPartsSpread(const Arguments&, std::string_view, Numbers* numbers) {
  return BackThroughDivision(kParts, numbers);
}

Outcome FromDays(const Arguments&, Value* v, Scratch* scratch) {
  const int64_t days = v->number;
  if (!__builtin_mul_overflow(days, kDay, &v->number)) return Outcome::kValue;
  return Refuse(scratch, std::to_string(days) + " days are outside the range of times");
}

void FromDaysShape(const Arguments&, Shape* shape) {
  constexpr int64_t kMost = INT64_MAX / kDay;
  shape->type = Type::kTime;
  if (shape->least < -kMost || shape->most > kMost) shape->mappable = false;
  shape->least = std::clamp(shape->least, -kMost, kMost) * kDay;
  shape->most = std::clamp(shape->most, -kMost, kMost) * kDay;
}

Inverse BackFromDays(const Arguments&, Value* v, Scratch*) {
  if (v->number % kDay != 0) return Inverse::kNone;
  v->number /= kDay;
  return Inverse::kExact;
}

bool FromDaysSpread(const Arguments&, std::string_view, Numbers* numbers) { return BackThroughProduct(kDay, numbers); }

template <int64_t kParts>
Function PartsReader(std::string_view name, std::string_view summary, Example example) {
  return {name,
          kCategory,
          {},
          Takes(Type::kInteger),
          FromParts<kParts>,
          FromPartsShape<kParts>,
          "integer -> time",
          summary,
          "",
          example,
          {.invert = BackFromParts<kParts>,
           .best = Always<Inverse::kGood>,
           .spread = FromPartsSpread<kParts>,
           .order = Lying<Direction::kUp>}};
}

}  // namespace

std::vector<Function> TimeTextFunctions() {
  return {
      {"iso_time",
       kCategory,
       {{"zone", ArgumentKind::kZone, true}},
       Takes(Type::kBytes),
       IsoTime,
       IsoTimeShape,
       "bytes -> time",
       "a time in ISO 8601, as java.time and RFC 3339 write it, cut after milliseconds; a text without an offset is "
       "a clock in the zone (default UTC)",
       "unmappable when the text has another form, or clocks of the zone skip its time",
       {"| iso_time | millis | decimal", "2015-04-02T09:00:00.5+08:00", "1427936400500"},
       {.invert = BackIsoTime, .best = Always<Inverse::kGood>}},
      PartsReader<1'000>("from_us", "microseconds since 1970-01-01 UTC, cut after milliseconds",
                         {"| int | from_us | time %H:%M:%S.%L", "1482125382074999", "05:29:42.074"}),
      PartsReader<1'000'000>("from_ns", "nanoseconds since 1970-01-01 UTC, cut after milliseconds",
                             {"| int | from_ns | time %H:%M:%S.%L", "1482125382074999999", "05:29:42.074"}),
      {"from_days",
       kCategory,
       {},
       Takes(Type::kInteger),
       FromDays,
       FromDaysShape,
       "integer -> time",
       "days since 1970-01-01, as Avro's and Debezium's dates",
       "unmappable outside the range of times",
       {"| int | from_days | time %Y-%m-%d", "17154", "2016-12-19"},
       {.invert = BackFromDays,
        .best = Always<Inverse::kExact>,
        .spread = FromDaysSpread,
        .order = Lying<Direction::kUp>,
        .counts = kDay}},
  };
}

}  // namespace fensi::mapping
