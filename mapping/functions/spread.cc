#include "mapping/functions/spread.h"

#include <algorithm>
#include <utility>

namespace fensi::mapping {
namespace {

bool Multiply(int64_t by, int64_t* number) { return !__builtin_mul_overflow(*number, by, number); }

int64_t DivideDown(int64_t number, int64_t by) { return number / by - (number % by < 0 ? 1 : 0); }
int64_t DivideUp(int64_t number, int64_t by) { return number / by + (number % by > 0 ? 1 : 0); }

__extension__ typedef __int128 Wide;  // not in ISO C++

// There is no number beyond 64 bits, so the ends are cut. A cut end would be wrong after the cycle.
bool Set(Wide least, Wide most, int64_t cycle, Numbers* numbers) {
  const Wide lowest = cycle == 0 ? std::max<Wide>(least, INT64_MIN) : least;
  const Wide highest = cycle == 0 ? std::min<Wide>(most, INT64_MAX) : most;
  if (lowest > highest || lowest < INT64_MIN || highest > INT64_MAX) return false;
  *numbers = {static_cast<int64_t>(lowest), static_cast<int64_t>(highest), cycle};
  return true;
}

bool Negate(Numbers* numbers) {
  std::swap(numbers->least, numbers->most);
  return Multiply(-1, &numbers->least) && Multiply(-1, &numbers->most);
}

}  // namespace

bool BackThroughDivision(int64_t unit, Numbers* numbers) {
  const Wide by = unit;
  return Multiply(unit, &numbers->cycle) &&
         Set(numbers->least * by, numbers->most * by + (by - 1), numbers->cycle, numbers);
}

// Results are multiples of the unit.
bool BackThroughFloor(int64_t unit, Numbers* numbers) {
  if (numbers->cycle % unit == 0) {
    numbers->least = DivideUp(numbers->least, unit);
    numbers->most = DivideDown(numbers->most, unit);
    if (numbers->least > numbers->most) return false;
    if (!Multiply(unit, &numbers->least) || !Multiply(unit, &numbers->most)) return false;
  }
  return Set(numbers->least, Wide{numbers->most} + (unit - 1), numbers->cycle, numbers);
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
