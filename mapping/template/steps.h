// The functions of a part, entered in the middle: a reader's value stands for what the first of them gave. Pure.
#pragma once

#include <optional>
#include <string>

#include "mapping/template/program.h"

namespace fensi::mapping {

inline constexpr size_t kNoStep = std::string::npos;

/// "split , 1", "default open".
std::string StepText(const Step& step);
/// kPlain: a `default`.
Role RoleOf(const Step& step);
/// Decimal digits as wide as they happen to be.
bool WritesOpenDigits(const Step& step);
bool FillsWithZeros(const Step& step);
/// The time format that a step writes by; null: it writes no time.
const std::string* FormatOf(const Step& step);
/// The zone whose clocks it follows; null: none that are changed.
const TimeZone* ZoneOf(const Step& step);

/// Runs the steps from `begin` up to `end` on a value that is there, so that `default` has nothing to do.
Outcome RunSteps(const Part& part, size_t begin, size_t end, Scratch* scratch, Value* value);

/// What can be said of what the first `step` steps give, a `default` included.
Shape ShapeAt(const Part& part, size_t step);
/// Type of what the first `step` steps give.
Type TypeAt(const Part& part, size_t step);
/// The first step, from `begin` on, that a number or a time goes into; kNoStep: there is none.
size_t FirstNumber(const Part& part, size_t begin);
/// Do both begin with the same `steps` steps?
bool BeginAlike(const Part& a, const Part& b, size_t steps);

/// Leading parts with a salt, `salt n` or `… mod n …`, when something else follows them: a reader must try every one.
size_t SaltParts(const Template& row);
/// The step that gives one of a few results.
std::optional<size_t> SaltStep(const Part& part);

}  // namespace fensi::mapping
