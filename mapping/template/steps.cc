#include "mapping/template/steps.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi::mapping {

std::string StepText(const Step& step) {
  std::string out(step.function == nullptr ? "default" : step.function->name);
  for (const Argument& argument : step.arguments) {
    const bool bare = !argument.text.empty() && argument.text.find_first_of(" |}\"") == std::string::npos;
    out += " ";
    out += argument.regex != nullptr ? "/" + argument.text + "/" : bare ? Escape(argument.text) : Shown(argument.text);
  }
  return out;
}

Role RoleOf(const Step& step) { return step.function == nullptr ? Role::kPlain : step.function->reading.role; }

bool WritesOpenDigits(const Step& step) { return RoleOf(step) == Role::kDigits && step.arguments.empty(); }

bool FillsWithZeros(const Step& step) { return RoleOf(step) == Role::kFills && step.arguments[1].text == "0"; }

const std::string* FormatOf(const Step& step) {
  for (size_t i = 0; step.function != nullptr && i < step.arguments.size(); ++i) {
    if (step.function->parameters[i].kind == ArgumentKind::kFormat) return &step.arguments[i].text;
  }
  return nullptr;
}

const TimeZone* ZoneOf(const Step& step) {
  for (const Argument& argument : step.arguments) {
    if (argument.zone != nullptr) return argument.zone.get();
  }
  return nullptr;
}

Outcome RunSteps(const Part& part, size_t begin, size_t end, Scratch* scratch, Value* value) {
  for (size_t i = begin; i < end; ++i) {
    const Step& step = part.steps[i];
    if (step.function == nullptr) continue;
    const Outcome outcome = step.function->apply(step.arguments, value, scratch);
    if (outcome != Outcome::kValue) return outcome;
    if (value->bytes.size() > kMostValueBytes || scratch->Full()) return RefuseLength(scratch);
  }
  return Outcome::kValue;
}

Shape ShapeAt(const Part& part, size_t step) {
  Shape shape;
  shape.type = part.reference->IsTime() ? Type::kTime : Type::kBytes;
  for (size_t i = 0; i < step; ++i) {
    const Step& one = part.steps[i];
    if (one.function == nullptr) {
      shape.AddDefault(one.arguments[0].text, one.arguments[0].number);
    } else {
      one.function->shape(one.arguments, &shape);
    }
  }
  return shape;
}

Type TypeAt(const Part& part, size_t step) { return ShapeAt(part, step).type; }

size_t FirstNumber(const Part& part, size_t begin) {
  for (size_t i = begin; i < part.steps.size(); ++i) {
    const Type type = TypeAt(part, i);
    if (type == Type::kInteger || type == Type::kTime) return i;
  }
  return kNoStep;
}

bool BeginAlike(const Part& a, const Part& b, size_t steps) {
  if (a.steps.size() < steps || b.steps.size() < steps) return false;
  for (size_t i = 0; i < steps; ++i) {
    if (StepText(a.steps[i]) != StepText(b.steps[i])) return false;
  }
  return true;
}

std::optional<size_t> SaltStep(const Part& part) {
  for (size_t i = 0; i < part.steps.size(); ++i) {
    if (part.steps[i].function != nullptr && part.steps[i].function->reading.salts != nullptr) return i;
  }
  return std::nullopt;
}

size_t SaltParts(const Template& row) {
  size_t i = 0;
  while (i < row.parts.size() && !row.parts[i].IsLiteral() && SaltStep(row.parts[i])) ++i;
  const bool more = std::any_of(row.parts.begin() + static_cast<std::ptrdiff_t>(i), row.parts.end(),
                                [](const Part& part) { return !part.IsLiteral(); });
  return more ? i : 0;
}

}  // namespace fensi::mapping
