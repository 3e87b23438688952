#include "mapping/reading/inverse.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "base/bytes.h"
#include "mapping/functions/time_format.h"
#include "mapping/reading/steps.h"
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

// Turned round twice they are as they were: the function is its own inverse.
Inverse ReverseDomain(const Arguments&, Value* v, Scratch* scratch) {
  return FindFunction("reverse_domain")->apply({}, v, scratch) == Outcome::kValue ? Inverse::kExact : Inverse::kNone;
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
  return v->bytes.size() <= 8 ? Inverse::kExact : Inverse::kNone;
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
  const int64_t factor = a[0].number;
  if (factor == 0 || (factor == -1 && v->number == INT64_MIN) || v->number % factor != 0) return Inverse::kNone;
  v->number /= factor;
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

// The time at which a unit begins; below the least there is none, but the least itself lies in the unit.
Inverse BeginningOf(int64_t unit, Value* v) {
  if (__builtin_mul_overflow(v->number, unit, &v->number)) {
    if (v->number >= 0) return Inverse::kNone;
    v->number = INT64_MIN;
  }
  return Inverse::kGood;
}

Inverse Seconds(const Arguments&, Value* v, Scratch*) { return BeginningOf(1000, v); }

Inverse Div(const Arguments& a, Value* v, Scratch*) { return BeginningOf(a[0].number, v); }

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

Inverse Unformat(const Arguments& a, Value* v, Scratch*) {
  if (!TellsPeriod(a)) return Inverse::kNone;
  const std::optional<int64_t> local = ParseTime(a[0].text, v->bytes);
  if (!local) return Inverse::kNone;
  v->number = *local - (a.size() > 1 ? a[1].number * 60'000 : 0);
  return TellsInstant(a) ? Inverse::kExact : Inverse::kGood;
}

Inverse Format(const Arguments& a, Value* v, Scratch* scratch) {
  std::string text(TimeWidth(a[0].text), ' ');
  if (!FormatTime(a[0].text, v->number, text.data())) return Inverse::kNone;
  v->bytes = scratch->Keep(text);
  return ReadsAll(a[0].text) ? Inverse::kExact : Inverse::kGood;
}

// What these functions give they leave as it is.
Inverse Near(const Arguments&, Value*, Scratch*) { return Inverse::kGood; }

Inverse Uncut(const Arguments& a, Value* v, Scratch*) {
  return v->bytes.size() < static_cast<size_t>(a.back().number) ? Inverse::kExact : Inverse::kGood;
}

template <char kFirst>
Inverse ChangeCase(const Arguments&, Value* v, Scratch*) {
  const bool letters =
      std::any_of(v->bytes.begin(), v->bytes.end(), [](char c) { return c >= kFirst && c < kFirst + 26; });
  return letters ? Inverse::kGood : Inverse::kExact;
}

Inverse Unpad(const Arguments& a, Value* v, Scratch*) {
  const bool filled = v->bytes.size() == static_cast<size_t>(a[0].number) && v->bytes.starts_with(a[1].text);
  return filled ? Inverse::kGood : Inverse::kExact;
}

struct Rule {
  std::string_view function;
  Inverse best;  // whatever the arguments and the bytes
  Invert invert;
};

constexpr Rule kRules[] = {{"fixed", Inverse::kExact, Same},
                           {"without", Inverse::kExact, Same},
                           {"from_ms", Inverse::kExact, Same},
                           {"millis", Inverse::kExact, Same},
                           {"reverse", Inverse::kExact, Reverse},
                           {"reverse_domain", Inverse::kExact, ReverseDomain},
                           {"terminated", Inverse::kExact, Unterminate},
                           {"hex", Inverse::kExact, Unhex},
                           {"decimal", Inverse::kExact, FromDigits},
                           {"int", Inverse::kGood, ToDigits},
                           {"to_be", Inverse::kExact, FromBe},
                           {"ordered", Inverse::kExact, FromOrdered},
                           {"i64", Inverse::kExact, ToBytes<8>},
                           {"i32", Inverse::kExact, ToBytes<4>},
                           {"i16", Inverse::kExact, ToBytes<2>},
                           {"i8", Inverse::kExact, ToBytes<1>},
                           {"u64", Inverse::kExact, ToBytes<8>},
                           {"u32", Inverse::kExact, ToBytes<4>},
                           {"u16", Inverse::kExact, ToBytes<2>},
                           {"u8", Inverse::kExact, ToBytes<1>},
                           {"add", Inverse::kExact, Add},
                           {"sub", Inverse::kExact, Sub},
                           {"mul", Inverse::kExact, Mul},
                           {"div", Inverse::kGood, Div},
                           {"descending", Inverse::kExact, Descending},
                           {"from_s", Inverse::kExact, FromSeconds},
                           {"seconds", Inverse::kGood, Seconds},
                           {"time", Inverse::kGood, Unformat},
                           {"parse_time", Inverse::kNone, Format},
                           {"floor_hour", Inverse::kGood, Near},
                           {"floor_day", Inverse::kGood, Near},
                           {"floor", Inverse::kGood, Near},
                           {"first", Inverse::kGood, Uncut},
                           {"slice", Inverse::kGood, Uncut},
                           {"pad", Inverse::kGood, Unpad},
                           {"lower", Inverse::kGood, ChangeCase<'a'>},
                           {"upper", Inverse::kGood, ChangeCase<'A'>},
                           {"trim", Inverse::kGood, Near}};

const Rule* RuleOf(const Step& step) {
  const auto rule = std::find_if(std::begin(kRules), std::end(kRules),
                                 [&](const Rule& known) { return known.function == step.function->name; });
  return rule == std::end(kRules) ? nullptr : rule;
}

// Digits with zeros in front of them, and of the sign: taken for a number at once, they are that of one number only.
bool IsPaddedNumber(const Part& part, size_t pad) {
  const Step& step = part.steps[pad];
  if (pad == 0 || !IsStep(step, "pad") || step.arguments[1].text != "0") return false;
  return IsStep(part.steps[pad - 1], "decimal") && part.steps[pad - 1].arguments.empty();
}

Inverse InvertPaddedNumber(Value* v) {
  v->bytes.remove_prefix(std::min(v->bytes.find_first_not_of('0'), v->bytes.size() - 1));
  return Inverse::kExact;
}

bool StandsIn(const Step& step, Type type, const Value& value) {
  return type == Type::kBytes ? value.bytes == step.arguments[0].text : value.number == step.arguments[0].number;
}

Inverse InvertStep(const Part& part, size_t i, Value* value, Scratch* scratch) {
  if (IsPaddedNumber(part, i) && !value->bytes.empty()) return InvertPaddedNumber(value);
  const Step& step = part.steps[i];
  const Rule* const rule = RuleOf(step);
  if (rule == nullptr || (rule->function == "slice" && (step.arguments.size() < 2 || step.arguments[0].number != 0))) {
    return Inverse::kNone;
  }
  return rule->invert(step.arguments, value, scratch);
}

Inverse BestOf(const Part& part, size_t i) {
  const Step& step = part.steps[i];
  if (step.function == nullptr || IsPaddedNumber(part, i)) return Inverse::kExact;
  const Rule* const rule = RuleOf(step);
  if (rule == nullptr) return Inverse::kNone;
  const Arguments& a = step.arguments;
  if (rule->function == "mul" && a[0].number == 0) return Inverse::kNone;
  if (rule->function == "slice" && (a.size() < 2 || a[0].number != 0)) return Inverse::kNone;
  if (rule->function == "time")
    return TellsInstant(a) ? Inverse::kExact : TellsPeriod(a) ? Inverse::kGood : Inverse::kNone;
  return rule->best;
}

// Does the value give the bytes that it was made from?
bool GivesAgain(const Part& part, size_t begin, Value value, std::string_view bytes, Scratch* scratch) {
  return RunSteps(part, begin, part.steps.size(), scratch, &value) == Outcome::kValue && value.bytes == bytes;
}

Inverse Worse(Inverse a, Inverse b) { return std::max(a, b); }

}  // namespace

// One of several values need not be one that the functions in front can give, but for those that give any.
Inverse Invertible(const Part& part, size_t begin) {
  Inverse worst = Inverse::kExact;
  for (size_t i = part.steps.size(); i-- > begin;) {
    const bool gives_any =
        part.steps[i].function == nullptr || IsStep(part.steps[i], "from_ms") || IsStep(part.steps[i], "millis");
    if (worst == Inverse::kGood && !gives_any) return Inverse::kNone;
    worst = Worse(worst, BestOf(part, i));
  }
  return worst;
}

Inverse InvertPart(const Part& part, size_t begin, Value* value, Scratch* scratch, bool* defaulted) {
  const std::string_view bytes = value->bytes;
  Inverse worst = Inverse::kExact;
  for (size_t i = part.steps.size(); i-- > begin && worst != Inverse::kNone;) {
    if (part.steps[i].function == nullptr) {
      if (defaulted != nullptr && StandsIn(part.steps[i], TypeAt(part, i), *value)) *defaulted = true;
    } else {
      worst = Worse(worst, InvertStep(part, i, value, scratch));
    }
  }
  if (worst == Inverse::kNone || !GivesAgain(part, begin, *value, bytes, scratch)) return Inverse::kNone;
  return worst;
}

}  // namespace fensi::mapping
