// Functions on integers.
#include <algorithm>

#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/spread.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

Outcome Overflow(Scratch* scratch, int64_t number) { return RefuseNumber(scratch, number, "leaves the 64-bit range"); }

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
  if (v->number < 0) return RefuseNumber(scratch, v->number, "is negative");
  v->number = INT64_MAX - v->number;
  return Outcome::kValue;
}

__extension__ typedef __int128 Wide;

int64_t Clamp(Wide number) { return static_cast<int64_t>(std::clamp<Wide>(number, INT64_MIN, INT64_MAX)); }

// A result outside of 64 bits is refused.
void SetRange(Wide least, Wide most, Shape* shape) {
  if (least < INT64_MIN || most > INT64_MAX) shape->mappable = false;
  shape->least = Clamp(least);
  shape->most = Clamp(most);
}

// Numbers of the range change their sign when they step over zero.
void Shift(Wide by, Shape* shape) {
  const Wide least = shape->least + by, most = shape->most + by;
  const bool stays = by == 0 || (shape->least >= 0 && least >= 0) || (shape->most < 0 && most < 0);
  shape->keeps_sign = shape->keeps_sign && stays;
  SetRange(least, most, shape);
}

void AddShape(const Arguments& a, Shape* shape) { Shift(a[0].number, shape); }

void SubShape(const Arguments& a, Shape* shape) { Shift(-Wide{a[0].number}, shape); }

void MulShape(const Arguments& a, Shape* shape) {
  const Wide n = a[0].number;
  if (n == 0) {
    shape->MergeAny();
    shape->LoseOrder();
  }
  if (n < 0) shape->TurnOrder();
  const Wide ends[] = {shape->least * n, shape->most * n};
  SetRange(std::min(ends[0], ends[1]), std::max(ends[0], ends[1]), shape);
}

void DivShape(const Arguments& a, Shape* shape) {
  const int64_t n = a[0].number;
  if (n == 1) return;
  shape->Merge(BitsOf(static_cast<double>(n)));
  SetRange(FloorDivide(shape->least, n), FloorDivide(shape->most, n), shape);
}

void ModShape(const Arguments& a, Shape* shape) {
  const int64_t n = a[0].number;
  if (shape->least >= 0 && shape->most < n) return;
  shape->MergeAny();
  shape->LoseOrder();
  SetRange(0, n - 1, shape);
}

void FloorShape(const Arguments& a, Shape* shape) {
  const Wide n = a[0].number;
  if (n == 1) return;
  shape->Merge(BitsOf(static_cast<double>(a[0].number)));
  SetRange(FloorDivide(shape->least, a[0].number) * n, FloorDivide(shape->most, a[0].number) * n, shape);
}

void DescendingShape(const Arguments&, Shape* shape) {
  shape->type = Type::kInteger;
  if (shape->least < 0) shape->mappable = false;
  SetRange(INT64_MAX - std::max<int64_t>(shape->most, 0), INT64_MAX - std::max<int64_t>(shape->least, 0), shape);
  shape->TurnOrder();
}

// Remainders come round again.
bool ModSpread(const Arguments& a, std::string_view, Numbers* numbers) {
  if (numbers->cycle != 0 || numbers->most - numbers->least >= a[0].number) return false;
  numbers->cycle = a[0].number;
  return true;
}

bool MulSpread(const Arguments& a, std::string_view, Numbers* numbers) {
  return BackThroughProduct(a[0].number, numbers);
}

Inverse BestOfMul(const Arguments& a) { return a[0].number == 0 ? Inverse::kNone : Inverse::kExact; }

Direction MulOrder(const Arguments& a) { return a[0].number >= 0 ? Direction::kUp : Direction::kDown; }

int64_t Remainders(const Arguments& a) { return a[0].number; }

void Remainder(const Arguments&, int64_t n, Value* value, Scratch*) { value->number = n; }

bool DivSpread(const Arguments& a, std::string_view, Numbers* numbers) {
  return BackThroughDivision(a[0].number, numbers);
}

bool FloorSpread(const Arguments& a, std::string_view, Numbers* numbers) {
  return BackThroughFloor(a[0].number, numbers);
}

constexpr Category kCategory = Category::kNumbers;

std::vector<Function> Sums() {
  constexpr unsigned kIn = Takes(Type::kInteger);
  constexpr std::string_view kTypes = "integer -> integer";
  constexpr std::string_view kRange = "unmappable when the result leaves 64 bits";
  return {
      {"add",
       kCategory,
       {{"n", Kind::kNumber}},
       kIn,
       Add,
       AddShape,
       kTypes,
       "plus n",
       kRange,
       {"| int | add 5 | decimal", "2", "7"},
       {.invert = BackAdd, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>}},
      {"sub",
       kCategory,
       {{"n", Kind::kNumber}},
       kIn,
       Sub,
       SubShape,
       kTypes,
       "minus n",
       kRange,
       {"| int | sub 5 | decimal", "2", "-3"},
       {.invert = BackSub, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>}},
      {"mul",
       kCategory,
       {{"n", Kind::kNumber}},
       kIn,
       Mul,
       MulShape,
       kTypes,
       "times n",
       kRange,
       {"| int | mul 16 | decimal", "123", "1968"},
       {.invert = BackMul, .best = BestOfMul, .spread = MulSpread, .order = MulOrder}},
  };
}

std::vector<Function> Quotients() {
  constexpr unsigned kIn = Takes(Type::kInteger);
  constexpr std::string_view kTypes = "integer -> integer";
  constexpr std::string_view kRange = "unmappable when the result leaves 64 bits";
  return {
      {"div",
       kCategory,
       {{"n", Kind::kDivisor}},
       kIn,
       Div,
       DivShape,
       kTypes,
       "divided by n, rounded down",
       "",
       {"| int | div 10 | decimal", "-1", "-1"},
       {.invert = BackDiv, .best = Always<Inverse::kGood>, .spread = DivSpread, .order = Lying<Direction::kUp>}},
      {"mod",
       kCategory,
       {{"n", Kind::kDivisor}},
       kIn,
       Mod,
       ModShape,
       kTypes,
       "the remainder, from 0 to n - 1",
       "",
       {"| int | mod 10 | decimal", "-1", "9"},
       {.spread = ModSpread, .salts = Remainders, .salt = Remainder}},
      {"floor",
       kCategory,
       {{"n", Kind::kDivisor}},
       kIn,
       Floor,
       FloorShape,
       kTypes,
       "the largest multiple of n at or below",
       kRange,
       {"| int | floor 3600 | decimal", "1292148123", "1292148000"},
       {.invert = BackNear, .best = Always<Inverse::kGood>, .spread = FloorSpread, .order = Lying<Direction::kUp>}},
      {"descending",
       kCategory,
       {},
       Takes(Type::kInteger, Type::kTime),
       Descending,
       DescendingShape,
       "integer or time -> integer",
       "9223372036854775807 (Java's Long.MAX_VALUE) minus the number: newest first",
       "unmappable when it is negative",
       {"| int | descending | decimal", "1482125382074", "9223370554729393733"},
       {.invert = BackDescending, .best = Always<Inverse::kExact>, .order = Lying<Direction::kDown>}},
  };
}

}  // namespace

std::vector<Function> ArithmeticFunctions() {
  std::vector<Function> all = Sums();
  for (Function& function : Quotients()) all.push_back(std::move(function));
  return all;
}

}  // namespace fensi::mapping
