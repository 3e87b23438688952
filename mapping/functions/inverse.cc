#include "mapping/functions/inverse.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/bytes.h"
#include "mapping/functions/time_format.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

using Invert = Inverse (*)(const Arguments&, Value*, Scratch*);

Inverse Same(const Arguments&, Value*, Scratch*) { return Inverse::kExact; }

Inverse Reverse(const Arguments&, Value* v, Scratch* scratch) {
  std::string text(v->bytes.rbegin(), v->bytes.rend());
  v->bytes = scratch->Keep(text);
  return Inverse::kExact;
}

Inverse Unterminate(const Arguments&, Value* v, Scratch* scratch) {
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

Inverse Unhex(const Arguments&, Value* v, Scratch* scratch) {
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

Inverse FromDigits(const Arguments&, Value* v, Scratch*) {
  const std::optional<int64_t> number = ParseInteger(v->bytes);
  if (!number) return Inverse::kNone;
  v->number = *number;
  return Inverse::kExact;
}

// "7" and "+007" are one number.
Inverse ToDigits(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(std::to_string(v->number));
  return Inverse::kGood;
}

Inverse FromBe(const Arguments&, Value* v, Scratch*) {
  v->number = static_cast<int64_t>(ReadBigEndian(v->bytes));
  return v->bytes.size() <= 8 ? Inverse::kExact : Inverse::kNone;
}

Inverse FromOrdered(const Arguments& a, Value* v, Scratch*) {
  const int64_t bytes = a.empty() ? 8 : a[0].number;
  v->number = static_cast<int64_t>(ReadBigEndian(v->bytes) - (uint64_t{1} << (8 * bytes - 1)));
  return Inverse::kExact;
}

template <size_t kBytes>
Inverse ToBytes(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(v->number), kBytes);
  return Inverse::kExact;
}

Inverse Add(const Arguments& a, Value* v, Scratch*) {
  return __builtin_sub_overflow(v->number, a[0].number, &v->number) ? Inverse::kNone : Inverse::kExact;
}

Inverse Sub(const Arguments& a, Value* v, Scratch*) {
  return __builtin_add_overflow(v->number, a[0].number, &v->number) ? Inverse::kNone : Inverse::kExact;
}

Inverse Mul(const Arguments& a, Value* v, Scratch*) {
  if (a[0].number == 0 || a[0].number == -1 || v->number % a[0].number != 0) return Inverse::kNone;
  v->number /= a[0].number;
  return Inverse::kExact;
}

Inverse Descending(const Arguments&, Value* v, Scratch*) {
  if (v->number < 0) return Inverse::kNone;
  v->number = INT64_MAX - v->number;
  return Inverse::kExact;
}

Inverse FromSeconds(const Arguments&, Value* v, Scratch*) {
  if (v->number % 1000 != 0) return Inverse::kNone;
  v->number /= 1000;
  return Inverse::kExact;
}

Inverse Seconds(const Arguments&, Value* v, Scratch*) {
  return __builtin_mul_overflow(v->number, int64_t{1000}, &v->number) ? Inverse::kNone : Inverse::kGood;
}

Inverse Unformat(const Arguments& a, Value* v, Scratch*) {
  // Fields that are missing read as those of 1970: with the year in front that is the beginning of the period.
  if (a[0].text.find("%Y") == std::string::npos || (a.size() > 1 && a[1].zone != nullptr)) return Inverse::kNone;
  const std::optional<int64_t> local = ParseTime(a[0].text, v->bytes);
  if (!local) return Inverse::kNone;
  v->number = *local - (a.size() > 1 ? a[1].number * 60'000 : 0);
  return Inverse::kGood;
}

Inverse Format(const Arguments& a, Value* v, Scratch* scratch) {
  std::string text(TimeWidth(a[0].text), ' ');
  if (!FormatTime(a[0].text, v->number, text.data())) return Inverse::kNone;
  v->bytes = scratch->Keep(text);
  return Inverse::kExact;
}

Inverse Near(const Arguments&, Value*, Scratch*) { return Inverse::kGood; }

struct Rule {
  std::string_view function;
  Invert invert;
};

constexpr Rule kRules[] = {{"fixed", Same},
                           {"without", Same},
                           {"from_ms", Same},
                           {"millis", Same},
                           {"reverse", Reverse},
                           {"terminated", Unterminate},
                           {"hex", Unhex},
                           {"decimal", FromDigits},
                           {"int", ToDigits},
                           {"to_be", FromBe},
                           {"ordered", FromOrdered},
                           {"i64", ToBytes<8>},
                           {"i32", ToBytes<4>},
                           {"i16", ToBytes<2>},
                           {"i8", ToBytes<1>},
                           {"u64", ToBytes<8>},
                           {"u32", ToBytes<4>},
                           {"u16", ToBytes<2>},
                           {"u8", ToBytes<1>},
                           {"add", Add},
                           {"sub", Sub},
                           {"mul", Mul},
                           {"descending", Descending},
                           {"from_s", FromSeconds},
                           {"seconds", Seconds},
                           {"time", Unformat},
                           {"parse_time", Format},
                           {"floor_hour", Near},
                           {"floor_day", Near},
                           {"floor", Near}};

// `reverse_domain` turns dots' parts round: done twice it is undone, so the function itself is its inverse.
Inverse InvertStep(const Step& step, Value* value, Scratch* scratch) {
  if (step.function == nullptr) return Inverse::kGood;  // perhaps the default, perhaps the value
  if (step.function->name == "reverse_domain") {
    return step.function->apply(step.arguments, value, scratch) == Outcome::kValue ? Inverse::kExact : Inverse::kNone;
  }
  const auto rule = std::find_if(std::begin(kRules), std::end(kRules),
                                 [&](const Rule& known) { return known.function == step.function->name; });
  return rule == std::end(kRules) ? Inverse::kNone : rule->invert(step.arguments, value, scratch);
}

}  // namespace

Inverse InvertPart(const Part& part, Value* value, Scratch* scratch) {
  Inverse worst = Inverse::kExact;
  for (size_t i = part.steps.size(); i-- > 0;) {
    const Inverse step = InvertStep(part.steps[i], value, scratch);
    if (step == Inverse::kNone) return step;
    if (step == Inverse::kGood) worst = step;
  }
  return worst;
}

}  // namespace fensi::mapping
