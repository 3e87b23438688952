// The ways back through functions, and how results lie to what they are made of: what a reader of keys relies on.
// Functions of the table name them beside what they do.
#pragma once

#include "mapping/functions/function.h"

namespace fensi::mapping {

/// What a way back is good for, whatever the arguments.
template <Inverse kGoodness>
Inverse Always(const Arguments&) {
  return kGoodness;
}

/// How results lie, whatever the arguments.
template <Direction kDirection>
Direction Lying(const Arguments&) {
  return kDirection;
}

/// Ways back; each puts a value in the place of a result. Those that change nothing: what gives this was this, or is
/// this at the least.
Inverse BackSame(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackNear(const Arguments& arguments, Value* value, Scratch* scratch);

Inverse BackReverse(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackTerminated(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackHex(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackPad(const Arguments& arguments, Value* value, Scratch* scratch);
/// Through a cut behind the number of bytes that the last argument says.
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

Inverse BackFromSeconds(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackSeconds(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackTime(const Arguments& arguments, Value* value, Scratch* scratch);
Inverse BackParseTime(const Arguments& arguments, Value* value, Scratch* scratch);
/// What the way back from a written time is good for.
Inverse BestOfTime(const Arguments& arguments);

/// Through big-endian bytes that were read as a number.
template <size_t kBytes>
Inverse BackBytes(const Arguments&, Value* value, Scratch* scratch) {
  value->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(value->number), kBytes);
  return Inverse::kExact;
}

/// Through a function that leaves none of the letters from `kFirst` on.
template <char kFirst>
Inverse BackCase(const Arguments&, Value* value, Scratch*) {
  for (const char c : value->bytes) {
    if (c >= kFirst && c < kFirst + 26) return Inverse::kGood;
  }
  return Inverse::kExact;
}

}  // namespace fensi::mapping
