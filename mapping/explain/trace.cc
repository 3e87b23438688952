#include "mapping/explain/trace.h"

#include "mapping/functions/numbers_as_text.h"
#include "mapping/template/program.h"

namespace fensi::mapping {
namespace {

std::string ValueText(Type type, const Value& value) {
  if (type == Type::kBytes) return Shown(value.bytes);
  if (type != Type::kList) return TypedText(type, value);
  std::string out = "[";
  for (std::string_view item : *value.list) out += (out.size() > 1 ? ", " : "") + Shown(item);
  return out + "]";
}

}  // namespace

std::string TracePart(const Part& part, const Inputs& inputs) {
  Part begun = part;
  begun.steps.clear();
  Shape shape;
  shape.type = part.reference->IsTime() ? Type::kTime : Type::kBytes;
  std::string text = part.reference->name;
  Scratch scratch;
  for (size_t done = 0;; ++done) {
    Value value;
    const Outcome outcome = RunPart(begun, inputs, &scratch, &value);
    if (outcome == Outcome::kUnmappable) return text + " = unmappable: " + scratch.reason;
    text += " = " + (outcome == Outcome::kAbsent ? std::string("absent") : ValueText(shape.type, value));
    if (done == part.steps.size()) return text;
    const Step& step = part.steps[done];
    text += " | " + StepText(step);
    begun.steps.push_back(step);
    if (step.function != nullptr) step.function->shape(step.arguments, &shape);
  }
}

std::string TraceResult(const Template& program, const Inputs& inputs) {
  Scratch scratch;
  std::string_view out;
  switch (RunTemplate(program, inputs, &scratch, &out)) {
    case Outcome::kValue:
      return Shown(out);
    case Outcome::kAbsent:
      return "absent";
    case Outcome::kUnmappable:
      return "unmappable: " + scratch.reason;
  }
  return "";
}

}  // namespace fensi::mapping
