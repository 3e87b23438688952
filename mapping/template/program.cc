#include "mapping/template/program.h"

#include <algorithm>
#include <cstring>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"

namespace fensi::mapping {
namespace {

// kAbsent: the column is.
Outcome Fetch(const Reference& reference, const Inputs& inputs, Scratch* scratch, Value* value) {
  using Kind = Reference::Kind;
  const VisibleCell* const cell = reference.IsColumn() ? inputs.slots[reference.slot] : inputs.bound;
  if (reference.IsColumn() && cell == nullptr) return Outcome::kAbsent;
  switch (reference.kind) {
    case Kind::kRow:
      value->bytes = inputs.row;
      break;
    case Kind::kColumn:
    case Kind::kBoundValue:
      value->bytes = cell->value;
      break;
    case Kind::kColumnTime:
    case Kind::kBoundTime:
      value->number = cell->timestamp;
      break;
    case Kind::kBoundFamily:
      value->bytes = cell->family;
      break;
    case Kind::kBoundQualifier:
      value->bytes = cell->qualifier;
      break;
    case Kind::kItem:
      value->bytes = inputs.item;
      break;
    case Kind::kJoined:
      return RunTemplate(*reference.joined, inputs, scratch, &value->bytes);
  }
  return Outcome::kValue;
}

Outcome Join(const std::string_view* pieces, size_t count, Scratch* scratch, std::string_view* joined) {
  size_t size = 0;
  for (size_t i = 0; i < count; ++i) size += pieces[i].size();
  if (size > kMostValueBytes || scratch->Full()) return RefuseLength(scratch);
  char* const begin = scratch->Allocate(size);
  char* out = begin;
  for (size_t i = 0; i < count; ++i) out = std::copy(pieces[i].begin(), pieces[i].end(), out);
  *joined = {begin, size};
  return Outcome::kValue;
}

Outcome RunToBytes(const Part& part, const Inputs& inputs, Scratch* scratch, std::string_view* out) {
  if (part.IsLiteral()) {
    *out = part.literal;
    return Outcome::kValue;
  }
  Value value;
  const Outcome outcome = RunPart(part, inputs, scratch, &value);
  *out = value.bytes;
  return outcome;
}

}  // namespace

bool Template::IsConstant() const {
  return std::all_of(parts.begin(), parts.end(), [](const Part& part) { return part.IsLiteral(); });
}

Outcome RunPart(const Part& part, const Inputs& inputs, Scratch* scratch, Value* value) {
  const Outcome fetched = Fetch(*part.reference, inputs, scratch, value);
  if (fetched == Outcome::kUnmappable) return fetched;
  bool present = fetched == Outcome::kValue;
  for (const Step& step : part.steps) {
    if (step.function == nullptr) {
      if (present) continue;
      value->bytes = step.arguments[0].text;
      value->number = step.arguments[0].number;
      present = true;
    } else if (present) {
      const Outcome outcome = step.function->apply(step.arguments, value, scratch);
      if (outcome == Outcome::kUnmappable) return outcome;
      if (value->bytes.size() > kMostValueBytes || scratch->Full()) return RefuseLength(scratch);
      present = outcome == Outcome::kValue;
    }
  }
  return present ? Outcome::kValue : Outcome::kAbsent;
}

Outcome RunTemplate(const Template& program, const Inputs& inputs, Scratch* scratch, std::string_view* out) {
  if (program.parts.size() == 1) return RunToBytes(program.parts[0], inputs, scratch, out);
  constexpr size_t kFew = 16;
  std::string_view few[kFew];
  std::vector<std::string_view>* const many = program.parts.size() > kFew ? scratch->NewList() : nullptr;
  if (many != nullptr) many->resize(program.parts.size());
  std::string_view* const pieces = many != nullptr ? many->data() : few;
  bool absent = false;  // a later part may still be unmappable, which is worth a report
  for (size_t i = 0; i < program.parts.size(); ++i) {
    const Outcome outcome = RunToBytes(program.parts[i], inputs, scratch, &pieces[i]);
    if (outcome == Outcome::kUnmappable) return outcome;
    absent = absent || outcome == Outcome::kAbsent;
  }
  if (absent) return Outcome::kAbsent;
  return Join(pieces, program.parts.size(), scratch, out);
}

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
  return ShapeAfter(shape, part, step);
}

Shape ShapeAfter(Shape shape, const Part& part, size_t steps) {
  for (size_t i = 0; i < steps; ++i) {
    const Step& step = part.steps[i];
    if (step.function == nullptr) {
      shape.AddDefault(step.arguments[0].text, step.arguments[0].number);
    } else {
      step.function->shape(step.arguments, &shape);
    }
  }
  return shape;
}

Type TypeAt(const Part& part, size_t step) { return ShapeAt(part, step).type; }

size_t FirstNumber(const Part& part, size_t begin) {
  for (size_t i = begin; i < part.steps.size(); ++i) {
    if (IsRanked(TypeAt(part, i))) return i;
  }
  return kNoStep;
}

size_t FirstDecimal(const Part& part, size_t begin) {
  for (size_t i = begin; i <= part.steps.size(); ++i) {
    if (TypeAt(part, i) == Type::kDecimal) return i;
  }
  return kNoStep;
}

size_t FirstText(const Part& part, size_t begin) {
  size_t i = begin;
  while (i < part.steps.size() && RoleOf(part.steps[i]) == Role::kPiece) ++i;
  const bool reads = i < part.steps.size() && RoleOf(part.steps[i]) == Role::kReadsBytes;
  return reads && TypeAt(part, i + 1) == Type::kBytes ? i + 1 : kNoStep;
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
