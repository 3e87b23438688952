#include "mapping/lookup/part_text.h"

#include <charconv>

#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

enum class Digits : uint8_t { kNumber, kTooLarge, kNone };

Digits ParseNumber(std::string_view text, int64_t* number) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, *number);
  if (text.empty() || at != end) return Digits::kNone;
  return error == std::errc() ? Digits::kNumber : Digits::kTooLarge;
}

std::optional<int64_t> NumberBy(const Step& step, std::string_view bytes) {
  Scratch scratch;
  Value value{.bytes = bytes};
  if (step.function->apply(step.arguments, &value, &scratch) != Outcome::kValue) return std::nullopt;
  return value.number;
}

const Step* NumberStepIn(const Template& program, std::string_view name) {
  for (const Part& part : program.parts) {
    if (part.IsLiteral() || part.reference->name != name) continue;
    if (const Step* step = NumberStep({&part, 0, part.reference->name}); step != nullptr) return step;
  }
  return nullptr;
}

const Step* NumberStepOf(const IndexDefinition& definition, std::string_view name) {
  for (const KeyPart& part : KeyParts(definition.row)) {
    if (part.name == name) return NumberStep(part);
  }
  for (const ColumnRule& column : definition.columns) {
    if (const Step* step = NumberStepIn(column.qualifier, name); step != nullptr) return step;
    if (const Step* step = NumberStepIn(column.value, name); step != nullptr) return step;
  }
  return nullptr;
}

}  // namespace

const Step* NumberStep(const KeyPart& part) {
  if (part.steps >= part.first->steps.size()) return nullptr;
  const Step& step = part.first->steps[part.steps];
  return RoleOf(step) == Role::kReadsBytes ? &step : nullptr;
}

Result<std::string> BytesOfPart(const KeyPart& part, std::string_view typed) {
  const Step* const step = NumberStep(part);
  int64_t number = 0;
  const Digits digits = step == nullptr ? Digits::kNone : ParseNumber(typed, &number);
  if (digits == Digits::kNone) return std::string(typed);
  Scratch scratch;
  Value value{.number = number};
  step->function->reading.invert(step->arguments, &value, &scratch);
  if (digits == Digits::kTooLarge || NumberBy(*step, value.bytes) != number) {
    return InvalidArgument("<" + part.name + "> is read by " + std::string(step->function->name) + ", and " +
                           std::string(typed) + " does not fit");
  }
  return std::string(value.bytes);
}

std::optional<int64_t> NumberOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes) {
  const Step* const step = NumberStepOf(definition, name);
  return step == nullptr ? std::nullopt : NumberBy(*step, bytes);
}

}  // namespace fensi::mapping
