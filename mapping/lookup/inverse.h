// Inverts functions as far as possible, for readers of an index who want to see the origin of a key.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// How exact the inverse of one step is, whatever the bytes.
Inverse BestInverse(const Part& part, size_t step);

/// Inverts one step. kNone: there is no inverse, or these bytes are no result of it.
Inverse InvertStep(const Part& part, size_t step, Value* value, Scratch* scratch);

/// From a value after the first `end` steps to one after the first `begin` that may have given it. `defaulted`, if
/// given: the value is one that a `default` may have set.
Inverse InvertSteps(const Part& part, size_t begin, size_t end, Value* value, Scratch* scratch,
                    bool* defaulted = nullptr);

/// How exact the inverse from a part's bytes to the value after its first `begin` steps is, whatever the bytes: kGood
/// finds a value whenever there is one.
Inverse Invertible(const Part& part, size_t begin);

/// Replaces a part's bytes by a value that, after the first `begin` steps, gives them again. kNone: there is none, or
/// none is found.
Inverse InvertPart(const Part& part, size_t begin, Value* value, Scratch* scratch, bool* defaulted = nullptr);

// Splits the bytes of a template's result into those of its parts. Pure.

/// One for each part; absent if the beginning or end of the part is unknown.
using Pieces = std::vector<std::optional<std::string_view>>;

/// Every part that IsReadable has its piece. Absent: the template did not make these bytes.
std::optional<Pieces> Cut(const Template& program, std::string_view bytes);

}  // namespace fensi::mapping
