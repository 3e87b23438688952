// The way back through a function, as far as there is one: for readers of an index, who want to see what a key was made
// of.
#pragma once

#include "mapping/template/program.h"

namespace fensi::mapping {

/// One step back. kNone: there is no way, or these are no result of it.
Inverse InvertStep(const Part& part, size_t step, Value* value, Scratch* scratch);

/// From a value behind the first `end` steps to one behind the first `begin` that may have given it. `defaulted`, when
/// asked for: the value is one that a `default` may have put there.
Inverse InvertSteps(const Part& part, size_t begin, size_t end, Value* value, Scratch* scratch,
                    bool* defaulted = nullptr);

/// What the way back from a part's bytes to the value behind its first `begin` steps is good for, whatever the bytes:
/// kGood finds a value whenever there is one.
Inverse Invertible(const Part& part, size_t begin);

/// Replaces a part's bytes by a value that, put behind the first `begin` steps, gives them again. kNone: there is none,
/// or none is found.
Inverse InvertPart(const Part& part, size_t begin, Value* value, Scratch* scratch, bool* defaulted = nullptr);

}  // namespace fensi::mapping
