// The way back through a function, as far as there is one: for readers of an index, who want to see what a key was made
// of.
#pragma once

#include "mapping/template/program.h"

namespace fensi::mapping {

enum class Inverse {
  kExact,  // the only value that gives this result
  kGood,   // one that gives this result, or one close to it; others do, too
  kNone,
};

/// Replaces the result of a part's steps by the source value: bytes, or a number for a reference that is a time.
Inverse InvertPart(const Part& part, Value* value, Scratch* scratch);

}  // namespace fensi::mapping
