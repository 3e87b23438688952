// Inverses of functions, and how results are ordered relative to inputs, for readers of keys. Functions name them in
// their table entries.
#pragma once

#include "mapping/functions/function.h"

namespace fensi::mapping {

/// How exact an inverse is, whatever the arguments.
template <Inverse kGoodness>
Inverse Always(const Arguments&) {
  return kGoodness;
}

/// How results are ordered, whatever the arguments.
template <Direction kDirection>
Direction Lying(const Arguments&) {
  return kDirection;
}

/// Inverses; each replaces a result by an input. This one changes nothing: the input was the result, or at least the
/// result.
Inverse BackSame(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackNear(const Arguments& arguments, Value* value, Scratch* scratch);

Inverse BackReverse(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackTerminated(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackHex(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackPad(const Arguments& arguments, Value* value, Scratch* scratch);
/// Inverse of a cut to the number of bytes in the last argument.
Inverse BackCut(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackSlice(const Arguments& arguments, Value* value, Scratch* scratch);

Inverse BackDecimal(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackInt(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackToBe(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackOrdered(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackAdd(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackSub(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackMul(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackDiv(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackDescending(const Arguments& arguments, Value* value, Scratch* scratch);

/// From a count of units to the number at which the unit begins. Below the least number there is none, but the least
/// itself lies in the unit.
Inverse BackToBeginning(int64_t unit, Value* value);
Inverse BackFromSeconds(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackSeconds(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackTime(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackParseTime(const Arguments& arguments, Value* value, Scratch* scratch);
/// How exact the inverse of a formatted time is.
Inverse BestOfTime(const Arguments& arguments);

/// Inverse of reading big-endian bytes as a number.
template <size_t kBytes>
Inverse BackBytes(const Arguments&, Value* value, Scratch* scratch) {
  value->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(value->number), kBytes);
  return Inverse::kExact;
}

/// Inverse of a function that leaves none of the letters from `kFirst` on.
template <char kFirst>
Inverse BackCase(const Arguments&, Value* value, Scratch*) {
  for (const char c : value->bytes) {
    if (c >= kFirst && c < kFirst + 26) return Inverse::kGood;
  }
  return Inverse::kExact;
}

}  // namespace fensi::mapping
