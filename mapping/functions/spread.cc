#include "mapping/functions/spread.h"

#include <utility>

namespace fensi::mapping {
namespace {

bool Multiply(int64_t by, int64_t* number) { return !__builtin_mul_overflow(*number, by, number); }

int64_t DivideDown(int64_t number, int64_t by) { return number / by - (number % by < 0 ? 1 : 0); }
int64_t DivideUp(int64_t number, int64_t by) { return number / by + (number % by > 0 ? 1 : 0); }

bool Widen(int64_t unit, Numbers* numbers) { return !__builtin_add_overflow(numbers->most, unit - 1, &numbers->most); }

bool Negate(Numbers* numbers) {
  std::swap(numbers->least, numbers->most);
  return Multiply(-1, &numbers->least) && Multiply(-1, &numbers->most);
}

}  // namespace

bool BackThroughDivision(int64_t unit, Numbers* numbers) {
  return Multiply(unit, &numbers->least) && Multiply(unit, &numbers->most) && Multiply(unit, &numbers->cycle) &&
         Widen(unit, numbers);
}

// Results are multiples of the unit.
bool BackThroughFloor(int64_t unit, Numbers* numbers) {
  if (numbers->cycle % unit == 0) {
    numbers->least = DivideUp(numbers->least, unit);
    numbers->most = DivideDown(numbers->most, unit);
    if (numbers->least > numbers->most) return false;
    if (!Multiply(unit, &numbers->least) || !Multiply(unit, &numbers->most)) return false;
  }
  return Widen(unit, numbers);
}

bool BackThroughProduct(int64_t factor, Numbers* numbers) {
  if (factor == 0 || factor == INT64_MIN) return false;
  if (factor < 0 && !Negate(numbers)) return false;
  const int64_t by = factor < 0 ? -factor : factor;
  if (numbers->cycle % by != 0) return false;
  *numbers = {DivideUp(numbers->least, by), DivideDown(numbers->most, by), numbers->cycle / by};
  return numbers->least <= numbers->most;
}

}  // namespace fensi::mapping
