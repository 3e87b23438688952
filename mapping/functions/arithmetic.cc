// Functions on integers.
#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

Outcome OutOfRange(Scratch* scratch, int64_t number, const std::string& what) {
  return Refuse(scratch, std::to_string(number) + " " + what);
}

int64_t FloorDivide(int64_t number, int64_t divisor) { return number / divisor - (number % divisor < 0 ? 1 : 0); }

Outcome Overflow(Scratch* scratch, int64_t number) { return OutOfRange(scratch, number, "leaves the 64-bit range"); }

Outcome Add(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t before = v->number;
  return __builtin_add_overflow(before, a[0].number, &v->number) ? Overflow(scratch, before) : Outcome::kValue;
}

Outcome Sub(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t before = v->number;
  return __builtin_sub_overflow(before, a[0].number, &v->number) ? Overflow(scratch, before) : Outcome::kValue;
}

Outcome Mul(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t before = v->number;
  return __builtin_mul_overflow(before, a[0].number, &v->number) ? Overflow(scratch, before) : Outcome::kValue;
}

Outcome Div(const Arguments& a, Value* v, Scratch*) {
  v->number = FloorDivide(v->number, a[0].number);
  return Outcome::kValue;
}

Outcome Mod(const Arguments& a, Value* v, Scratch*) {
  v->number %= a[0].number;
  if (v->number < 0) v->number += a[0].number;
  return Outcome::kValue;
}

Outcome Floor(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t before = v->number;
  const bool overflow = __builtin_mul_overflow(FloorDivide(before, a[0].number), a[0].number, &v->number);
  return overflow ? Overflow(scratch, before) : Outcome::kValue;
}

Outcome Descending(const Arguments&, Value* v, Scratch* scratch) {
  if (v->number < 0) return OutOfRange(scratch, v->number, "is negative");
  v->number = INT64_MAX - v->number;
  return Outcome::kValue;
}

void MayOverflow(const Arguments&, Shape* shape) { shape->total = shape->non_negative = false; }

void MulShape(const Arguments& a, Shape* shape) {
  shape->total = shape->non_negative = false;
  shape->injective = shape->injective && a[0].number != 0;
  shape->ordered = shape->ordered && a[0].number > 0;
}

void CoarseShape(const Arguments&, Shape* shape) { shape->injective = false; }

void ModShape(const Arguments&, Shape* shape) {
  shape->injective = shape->ordered = false;
  shape->hash_bits = 0;
  shape->non_negative = true;
}

void FloorShape(const Arguments&, Shape* shape) { shape->injective = shape->total = false; }

void DescendingShape(const Arguments&, Shape* shape) {
  shape->type = Type::kInteger;
  shape->total = false;
  shape->non_negative = true;
  shape->descending = shape->ordered;
  shape->ordered = false;
}

constexpr std::string_view kGroup = "numbers";

std::vector<Function> Sums() {
  constexpr unsigned kIn = Takes(Type::kInteger);
  constexpr std::string_view kTypes = "integer -> integer";
  constexpr std::string_view kRange = "unmappable when the result leaves 64 bits";
  return {
      {"add",
       kGroup,
       {{"n", Kind::kNumber}},
       kIn,
       Add,
       MayOverflow,
       kTypes,
       "plus n",
       kRange,
       {"| int | add 5 | decimal", "2", "7"}},
      {"sub",
       kGroup,
       {{"n", Kind::kNumber}},
       kIn,
       Sub,
       MayOverflow,
       kTypes,
       "minus n",
       kRange,
       {"| int | sub 5 | decimal", "2", "-3"}},
      {"mul",
       kGroup,
       {{"n", Kind::kNumber}},
       kIn,
       Mul,
       MulShape,
       kTypes,
       "times n",
       kRange,
       {"| int | mul 16 | decimal", "123", "1968"}},
  };
}

std::vector<Function> Quotients() {
  constexpr unsigned kIn = Takes(Type::kInteger);
  constexpr std::string_view kTypes = "integer -> integer";
  constexpr std::string_view kRange = "unmappable when the result leaves 64 bits";
  return {
      {"div",
       kGroup,
       {{"n", Kind::kDivisor}},
       kIn,
       Div,
       CoarseShape,
       kTypes,
       "divided by n, rounded down",
       "",
       {"| int | div 10 | decimal", "-1", "-1"}},
      {"mod",
       kGroup,
       {{"n", Kind::kDivisor}},
       kIn,
       Mod,
       ModShape,
       kTypes,
       "the remainder, from 0 to n - 1",
       "",
       {"| int | mod 10 | decimal", "-1", "9"}},
      {"floor",
       kGroup,
       {{"n", Kind::kDivisor}},
       kIn,
       Floor,
       FloorShape,
       kTypes,
       "the largest multiple of n at or below",
       kRange,
       {"| int | floor 3600 | decimal", "1292148123", "1292148000"}},
      {"descending",
       kGroup,
       {},
       Takes(Type::kInteger, Type::kTime),
       Descending,
       DescendingShape,
       "integer or time -> integer",
       "9223372036854775807 (Java's Long.MAX_VALUE) minus the number: newest first",
       "unmappable when it is negative",
       {"| int | descending | decimal", "1482125382074", "9223370554729393733"}},
  };
}

}  // namespace

std::vector<Function> ArithmeticFunctions() {
  std::vector<Function> all = Sums();
  for (Function& function : Quotients()) all.push_back(std::move(function));
  return all;
}

}  // namespace fensi::mapping
