#include "mapping/functions/inverse.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/bytes.h"
#include "mapping/functions/time_format.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

// The letters of a time format's fields.
std::string FieldsOf(const std::string& format) {
  std::string fields;
  for (size_t i = 0; i + 1 < format.size(); ++i) {
    if (format[i] == '%') fields += format[++i];
  }
  return fields;
}

// Is what the format does not read without a say? (Fields that are missing read as those of 1970.)
bool ReadsAll(const std::string& format) { return FieldsOf(format).find_first_of("jy") == std::string::npos; }

// With the year that is the beginning of a period.
bool TellsPeriod(const Arguments& a) {
  const bool clocks_set_back = a.size() > 1 && a[1].zone != nullptr;
  return FieldsOf(a[0].text).find('Y') != std::string::npos && ReadsAll(a[0].text) && !clocks_set_back;
}

bool TellsInstant(const Arguments& a) {
  constexpr std::string_view kAll = "YmdHMSL";
  const std::string fields = FieldsOf(a[0].text);
  return TellsPeriod(a) &&
         std::all_of(kAll.begin(), kAll.end(), [&](char field) { return fields.find(field) != std::string::npos; });
}

}  // namespace

Inverse BackToBeginning(int64_t unit, Value* v) {
  const bool negative = v->number < 0;
  if (__builtin_mul_overflow(v->number, unit, &v->number)) {
    if (!negative) return Inverse::kNone;
    v->number = INT64_MIN;
  }
  return Inverse::kGood;
}

Inverse BackSame(const Arguments&, Value*, Scratch*) { return Inverse::kExact; }

Inverse BackReverse(const Arguments&, Value* v, Scratch* scratch) {
  std::string text(v->bytes.rbegin(), v->bytes.rend());
  v->bytes = scratch->Keep(text);
  return Inverse::kExact;
}

Inverse BackTerminated(const Arguments&, Value* v, Scratch* scratch) {
  if (!v->bytes.ends_with(std::string_view("\0\0", 2))) return Inverse::kNone;
  v->bytes.remove_suffix(2);
  std::string text;
  for (size_t i = 0; i < v->bytes.size(); ++i) {
    text.push_back(v->bytes[i]);
    if (v->bytes[i] == '\0') ++i;
  }
  v->bytes = scratch->Keep(text);
  return Inverse::kExact;
}

Inverse BackHex(const Arguments&, Value* v, Scratch* scratch) {
  std::string text;
  if (v->bytes.size() % 2 != 0) return Inverse::kNone;
  for (size_t i = 0; i < v->bytes.size(); i += 2) {
    unsigned byte = 0;
    const char* const begin = v->bytes.data() + i;
    if (std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2) return Inverse::kNone;
    text.push_back(static_cast<char>(byte));
  }
  v->bytes = scratch->Keep(text);
  return Inverse::kExact;
}

Inverse BackDecimal(const Arguments&, Value* v, Scratch*) {
  const std::optional<int64_t> number = ParseInteger(v->bytes);
  if (!number) return Inverse::kNone;
  v->number = *number;
  return Inverse::kExact;
}

// "7" and "+007" are one number.
Inverse BackInt(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(std::to_string(v->number));
  return Inverse::kGood;
}

Inverse BackToBe(const Arguments&, Value* v, Scratch*) {
  v->number = static_cast<int64_t>(ReadBigEndian(v->bytes));
  return v->bytes.size() <= 8 ? Inverse::kExact : Inverse::kNone;
}

Inverse BackOrdered(const Arguments& a, Value* v, Scratch*) {
  const int64_t bytes = a.empty() ? 8 : a[0].number;
  v->number = static_cast<int64_t>(ReadBigEndian(v->bytes) - (uint64_t{1} << (8 * bytes - 1)));
  return v->bytes.size() <= 8 ? Inverse::kExact : Inverse::kNone;
}

Inverse BackAdd(const Arguments& a, Value* v, Scratch*) {
  return __builtin_sub_overflow(v->number, a[0].number, &v->number) ? Inverse::kNone : Inverse::kExact;
}

Inverse BackSub(const Arguments& a, Value* v, Scratch*) {
  return __builtin_add_overflow(v->number, a[0].number, &v->number) ? Inverse::kNone : Inverse::kExact;
}

Inverse BackMul(const Arguments& a, Value* v, Scratch*) {
  const int64_t factor = a[0].number;
  if (factor == 0 || (factor == -1 && v->number == INT64_MIN) || v->number % factor != 0) return Inverse::kNone;
  v->number /= factor;
  return Inverse::kExact;
}

Inverse BackDescending(const Arguments&, Value* v, Scratch*) {
  if (v->number < 0) return Inverse::kNone;
  v->number = INT64_MAX - v->number;
  return Inverse::kExact;
}

Inverse BackFromSeconds(const Arguments&, Value* v, Scratch*) {
  if (v->number % 1000 != 0) return Inverse::kNone;
  v->number /= 1000;
  return Inverse::kExact;
}

Inverse BackSeconds(const Arguments&, Value* v, Scratch*) { return BackToBeginning(1000, v); }

Inverse BackDiv(const Arguments& a, Value* v, Scratch*) { return BackToBeginning(a[0].number, v); }

Inverse BackTime(const Arguments& a, Value* v, Scratch*) {
  if (!TellsPeriod(a)) return Inverse::kNone;
  const std::optional<int64_t> local = ParseTime(a[0].text, v->bytes);
  if (!local) return Inverse::kNone;
  v->number = *local - (a.size() > 1 ? a[1].number * 60'000 : 0);
  return TellsInstant(a) ? Inverse::kExact : Inverse::kGood;
}

Inverse BackParseTime(const Arguments& a, Value* v, Scratch* scratch) {
  std::string text(TimeWidth(a[0].text), ' ');
  int64_t local = 0;
  if (__builtin_add_overflow(v->number, OffsetMillis(a, v->number), &local)) return Inverse::kNone;
  // The second time that clocks showed the same is never read.
  if (!FormatTime(a[0].text, local, text.data()) || InstantOf(a, local) != v->number) return Inverse::kNone;
  v->bytes = scratch->Keep(text);
  return ReadsAll(a[0].text) ? Inverse::kExact : Inverse::kGood;
}

Inverse BackNear(const Arguments&, Value*, Scratch*) { return Inverse::kGood; }

Inverse BackCut(const Arguments& a, Value* v, Scratch*) {
  return v->bytes.size() < static_cast<size_t>(a.back().number) ? Inverse::kExact : Inverse::kGood;
}

Inverse BackPad(const Arguments& a, Value* v, Scratch*) {
  const bool filled = v->bytes.size() == static_cast<size_t>(a[0].number) && v->bytes.starts_with(a[1].text);
  return filled ? Inverse::kGood : Inverse::kExact;
}

Inverse BackSlice(const Arguments& a, Value* v, Scratch* scratch) {
  return a.size() < 2 || a[0].number != 0 ? Inverse::kNone : BackCut(a, v, scratch);
}

Inverse BestOfTime(const Arguments& a) {
  if (TellsInstant(a)) return Inverse::kExact;
  return TellsPeriod(a) ? Inverse::kGood : Inverse::kNone;
}

}  // namespace fensi::mapping
