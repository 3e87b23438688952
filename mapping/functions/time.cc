// Functions between numbers, text and instants.
#include <algorithm>

#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/spread.h"
#include "mapping/functions/time_format.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

constexpr int64_t kSecond = 1000;
constexpr int64_t kHour = 3600 * kSecond;
constexpr int64_t kDay = 24 * kHour;

Outcome FromMs(const Arguments&, Value*, Scratch*) { return Outcome::kValue; }

Outcome FromSeconds(const Arguments&, Value* v, Scratch* scratch) {
  const int64_t seconds = v->number;
  if (!__builtin_mul_overflow(seconds, kSecond, &v->number)) return Outcome::kValue;
  return Refuse(scratch, std::to_string(seconds) + " seconds are outside the range of times");
}

void FromMsShape(const Arguments&, Shape* shape) { shape->type = Type::kTime; }

void FromSecondsShape(const Arguments&, Shape* shape) {
  constexpr int64_t kMost = INT64_MAX / kSecond;
  shape->type = Type::kTime;
  if (shape->least < -kMost || shape->most > kMost) shape->mappable = false;
  shape->least = std::clamp(shape->least, -kMost, kMost) * kSecond;
  shape->most = std::clamp(shape->most, -kMost, kMost) * kSecond;
}

Outcome Parse(const Arguments& a, Value* v, Scratch* scratch) {
  const std::optional<int64_t> millis = ParseTime(a[0].text, v->bytes);
  if (!millis) return Refuse(scratch, Shown(v->bytes) + " is not a time like " + a[0].text);
  const std::optional<int64_t> instant = InstantOf(a, *millis);
  if (!instant) {
    return Refuse(scratch, NoSuchTime(v->bytes, a[1].text));
  }
  v->number = *instant;
  return Outcome::kValue;
}

void ParseShape(const Arguments& a, Shape* shape) {
  const Shape before = *shape;
  const bool keeps_order = TimeKeepsOrder(a[0].text);
  shape->BecomeNumber(Type::kTime);
  shape->hash_bits = 0;
  const bool of_times = keeps_order && before.order != Direction::kUpFromZero;
  if (before.piece || of_times) shape->order = before.piece ? Direction::kUp : before.order;
  shape->keeps_sign = before.piece;
  const bool named = a.size() > 1 && a[1].zone != nullptr;
  shape->least = kYear0Millis - (named ? kDay : OffsetMillis(a, 0));
  shape->most = kYear10000Millis - 1 + (named ? kDay : -OffsetMillis(a, 0));
}

Outcome Time(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t offset = OffsetMillis(a, v->number);
  const size_t width = TimeWidth(a[0].text);
  char* out = scratch->Allocate(width);
  int64_t local = 0;
  if (__builtin_add_overflow(v->number, offset, &local) || !FormatTime(a[0].text, local, out)) {
    return Refuse(scratch, std::to_string(v->number) + " ms are outside the years 0 to 9999");
  }
  v->bytes = {out, width};
  return Outcome::kValue;
}

ByteSet BytesOfTimes(const std::string& format) {
  std::string sample(TimeWidth(format), ' ');
  FormatTime(format, 0, sample.data());
  return BytesOf(sample) | ByteRange('0', '9');
}

// Clocks that are set back show the same times twice.
void FormattedShape(const Arguments& a, Shape* shape) {
  const bool set_back = a.size() > 1 && a[1].zone != nullptr;
  const int64_t unit = TimeUnit(a[0].text);
  if (unit == 0 || set_back) {
    shape->MergeAny();
  } else if (unit > 1) {
    shape->Merge(BitsOf(static_cast<double>(unit)));
  }
  if (!TimeKeepsOrder(a[0].text) || set_back) shape->LoseOrder();
  const Shape::Digits digits{true, shape->order, false};
  shape->BecomeBytes();
  shape->mappable = false;
  shape->bytes = BytesOfTimes(a[0].text);
  if ((shape->bytes & ~ByteRange('0', '9')).none()) shape->digits = digits;
  shape->SetWidth(TimeWidth(a[0].text), TimeWidth(a[0].text));
}

Outcome Seconds(const Arguments&, Value* v, Scratch*) {
  v->number = FloorDivide(v->number, kSecond);
  return Outcome::kValue;
}

Outcome Millis(const Arguments&, Value*, Scratch*) { return Outcome::kValue; }

template <int64_t kUnit>
constexpr int64_t kLeastMultiple = INT64_MIN / kUnit* kUnit;

template <int64_t kUnit>
Outcome FloorUnit(const Arguments&, Value* v, Scratch* scratch) {
  if (v->number < kLeastMultiple<kUnit>) return Refuse(scratch, std::to_string(v->number) + " ms are out of range");
  v->number = FloorDivide(v->number, kUnit) * kUnit;
  return Outcome::kValue;
}

template <int64_t kUnit>
void FloorShape(const Arguments&, Shape* shape) {
  if (shape->least < kLeastMultiple<kUnit>) shape->mappable = false;
  shape->Merge(BitsOf(static_cast<double>(kUnit)));
  shape->least = FloorDivide(std::max(shape->least, kLeastMultiple<kUnit>), kUnit) * kUnit;
  shape->most = FloorDivide(std::max(shape->most, kLeastMultiple<kUnit>), kUnit) * kUnit;
}

void SecondsShape(const Arguments&, Shape* shape) {
  shape->type = Type::kInteger;
  shape->Merge(BitsOf(kSecond));
  shape->least = FloorDivide(shape->least, kSecond);
  shape->most = FloorDivide(shape->most, kSecond);
}

void MillisShape(const Arguments&, Shape* shape) { shape->type = Type::kInteger; }

// Where clocks are changed nothing is known.
bool TimeSpread(const Arguments& a, std::string_view bytes, Numbers* numbers) {
  const TextedTimes texted = TimesOfOneText(a[0].text);
  const std::optional<int64_t> local = ParseTime(a[0].text, bytes);
  if (!local || texted.unit == 0 || (a.size() > 1 && a[1].zone != nullptr)) return false;
  const int64_t least = *local - OffsetMillis(a, 0);
  *numbers = {least, least + texted.unit - 1, texted.cycle};
  return true;
}

bool FromSecondsSpread(const Arguments&, std::string_view, Numbers* numbers) {
  return BackThroughProduct(kSecond, numbers);
}

bool SecondsSpread(const Arguments&, std::string_view, Numbers* numbers) {
  return BackThroughDivision(kSecond, numbers);
}

// Where clocks are set back an hour comes twice.
Direction TimeOrder(const Arguments& a) {
  const bool set_back = a.size() > 1 && a[1].zone != nullptr;
  return TimeKeepsOrder(a[0].text) && !set_back ? Direction::kUp : Direction::kNone;
}

template <int64_t kUnit>
bool FloorSpread(const Arguments&, std::string_view, Numbers* numbers) {
  return BackThroughFloor(kUnit, numbers);
}

std::vector<Function> Readers() {
  constexpr Category kCategory = Category::kTime;
  constexpr unsigned kNumber = Takes(Type::kInteger);
  return {
      {"from_ms",
       kCategory,
       {},
       kNumber,
       FromMs,
       FromMsShape,
       "integer -> time",
       "milliseconds since 1970-01-01 UTC",
       "",
       {"| int | from_ms | time %Y%m%d", "1482125382074", "20161219"},
       {.invert = BackSame,
        .best = Always<Inverse::kExact>,
        .order = Lying<Direction::kUp>,
        .gives_any = true,
        .counts = 1}},
      {"from_s",
       kCategory,
       {},
       kNumber,
       FromSeconds,
       FromSecondsShape,
       "integer -> time",
       "seconds since 1970-01-01 UTC",
       "unmappable outside the range of times",
       {"| int | from_s | time %H:%M:%S", "1292148123", "10:02:03"},
       {.invert = BackFromSeconds,
        .best = Always<Inverse::kExact>,
        .spread = FromSecondsSpread,
        .order = Lying<Direction::kUp>,
        .counts = kSecond}},
      {"parse_time",
       kCategory,
       {{"format", Kind::kReadFormat}, {"zone", Kind::kZone, true}},
       Takes(Type::kBytes),
       Parse,
       ParseShape,
       "bytes -> time",
       "a text in this format, which has %Y, or no year (then 1970); %j, %y and repeated fields are not allowed; "
       "in UTC, at an offset like +08:00, or in a zone like Europe/Berlin",
       "unmappable when the text has another form, or clocks of the zone skip its time",
       {"| parse_time %Y-%m-%d | time %Y%m%d", "2016-12-19", "20161219"},
       {.invert = BackParseTime}},
  };
}

std::vector<Function> Writers() {
  constexpr Category kCategory = Category::kTime;
  constexpr unsigned kTime = Takes(Type::kTime);
  return {
      {"time",
       kCategory,
       {{"format", Kind::kFormat}, {"zone", Kind::kZone, true}},
       kTime,
       Time,
       FormattedShape,
       "time -> bytes",
       "the time as text: %Y %m %d %H %M %S, %L (milliseconds), %j (day of the year), %y (two digits), %%; in UTC, at "
       "an offset like +08:00, or in a zone like Asia/Shanghai",
       "unmappable outside the years 0 to 9999",
       {"| int | from_ms | time \"%m-%d %H\" +08:00", "1482125382074", "12-19 13"},
       {.invert = BackTime, .best = BestOfTime, .spread = TimeSpread, .order = TimeOrder}},
      {"seconds",
       kCategory,
       {},
       kTime,
       Seconds,
       SecondsShape,
       "time -> integer",
       "whole seconds since 1970-01-01 UTC",
       "",
       {"| int | from_ms | seconds | decimal", "1482125382074", "1482125382"},
       {.invert = BackSeconds,
        .best = Always<Inverse::kGood>,
        .spread = SecondsSpread,
        .order = Lying<Direction::kUp>}},
      {"millis",
       kCategory,
       {},
       kTime,
       Millis,
       MillisShape,
       "time -> integer",
       "milliseconds since 1970-01-01 UTC",
       "",
       {"| int | from_s | millis | decimal", "7", "7000"},
       {.invert = BackSame, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>, .gives_any = true}},
  };
}

std::vector<Function> Floors() {
  constexpr Category kCategory = Category::kTime;
  constexpr unsigned kTime = Takes(Type::kTime);
  return {
      {"floor_hour",
       kCategory,
       {},
       kTime,
       FloorUnit<kHour>,
       FloorShape<kHour>,
       "time -> time",
       "the beginning of the hour, UTC",
       "unmappable in the first hour of the range of times",
       {"| int | from_s | floor_hour | seconds | to_be 4", "1292148123", "M\\x04\\x9D "},
       {.invert = BackNear,
        .best = Always<Inverse::kGood>,
        .spread = FloorSpread<kHour>,
        .order = Lying<Direction::kUp>}},
      {"floor_day",
       kCategory,
       {},
       kTime,
       FloorUnit<kDay>,
       FloorShape<kDay>,
       "time -> time",
       "the beginning of the day, UTC",
       "unmappable in the first day of the range of times",
       {"| int | from_s | floor_day | seconds | decimal", "1292148123", "1292112000"},
       {.invert = BackNear,
        .best = Always<Inverse::kGood>,
        .spread = FloorSpread<kDay>,
        .order = Lying<Direction::kUp>}},
  };
}

}  // namespace

std::vector<Function> TimeFunctions() { return AllOf({Readers, Writers, Floors}); }

}  // namespace fensi::mapping
