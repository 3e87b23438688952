// The way back through a function, as far as there is one: for readers of an index, who want to see what a key was made
// of.
#pragma once

#include "mapping/template/program.h"

namespace fensi::mapping {

enum class Inverse {
  kExact,  // the only value that gives this result
  kGood,   // one that gives this result; others may, too
  kNone,
};

/// What the way back from a part's bytes to the value behind its first `begin` steps is good for, whatever the bytes:
/// kGood finds a value whenever there is one.
Inverse Invertible(const Part& part, size_t begin);

/// Replaces a part's bytes by a value that, put behind the first `begin` steps, gives them again. kNone: there is none,
/// or none is found. `defaulted`, when asked for: the value is one that a `default` may have put there.
Inverse InvertPart(const Part& part, size_t begin, Value* value, Scratch* scratch, bool* defaulted = nullptr);

}  // namespace fensi::mapping
