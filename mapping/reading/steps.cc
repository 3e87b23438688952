#include "mapping/reading/steps.h"

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

bool IsStep(const Step& step, std::string_view function) {
  return step.function != nullptr && step.function->name == function;
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

Type TypeAt(const Part& part, size_t step) {
  Shape shape;
  shape.type = part.reference->IsTime() ? Type::kTime : Type::kBytes;
  for (size_t i = 0; i < step; ++i) {
    if (part.steps[i].function != nullptr) part.steps[i].function->shape(part.steps[i].arguments, &shape);
  }
  return shape.type;
}

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

}  // namespace fensi::mapping
