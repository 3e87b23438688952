#include "mapping/template/program.h"

#include <algorithm>
#include <cstring>

namespace fensi::mapping {
namespace {

// False: the column is absent.
bool Fetch(const Reference& reference, const Inputs& inputs, Value* value) {
  using Kind = Reference::Kind;
  const VisibleCell* const cell = reference.IsColumn() ? inputs.slots[reference.slot] : inputs.bound;
  if (reference.IsColumn() && cell == nullptr) return false;
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
  }
  return true;
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
  bool present = Fetch(*part.reference, inputs, value);
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

}  // namespace fensi::mapping
