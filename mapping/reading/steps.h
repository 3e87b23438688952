// The functions of a part, entered in the middle: a reader's value stands for what the first of them gave. Pure.
#pragma once

#include <string>

#include "mapping/template/program.h"

namespace fensi::mapping {

inline constexpr size_t kNoStep = std::string::npos;

/// "split , 1", "default open".
std::string StepText(const Step& step);
bool IsStep(const Step& step, std::string_view function);

/// Runs the steps from `begin` up to `end` on a value that is there, so that `default` has nothing to do.
Outcome RunSteps(const Part& part, size_t begin, size_t end, Scratch* scratch, Value* value);

/// Type of what the first `step` steps give.
Type TypeAt(const Part& part, size_t step);
/// The first step, from `begin` on, that a number or a time goes into; kNoStep: there is none.
size_t FirstNumber(const Part& part, size_t begin);
/// Do both begin with the same `steps` steps?
bool BeginAlike(const Part& a, const Part& b, size_t steps);

}  // namespace fensi::mapping
