#include "mapping/lookup/part_text.h"

#include <charconv>

#include "mapping/instant.h"
#include "mapping/lookup/units.h"
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

/// How a part's bytes are a time: in digits of milliseconds, or a number of such units that a function reads.
struct TimeReading {
  const Step* step = nullptr;  // null: digits
  int64_t unit = 1;            // in milliseconds
};

std::optional<TimeReading> TimeReadingOf(const IndexDefinition& definition, const Part& part, size_t typed_at) {
  if (TypeAt(part, typed_at) == Type::kTime) return TimeReading{};
  const size_t number_at = FirstNumber(part, typed_at);
  if (number_at != typed_at + 1 || TypeAt(part, number_at) != Type::kInteger) return std::nullopt;
  const Step& step = part.steps[typed_at];
  const std::optional<int64_t> unit = UnitOf(definition, part, typed_at);
  if (step.function == nullptr || step.function->reading.invert == nullptr || !unit) return std::nullopt;
  return TimeReading{&step, *unit};
}

std::vector<const Template*> CellTemplates(const IndexDefinition& definition) {
  std::vector<const Template*> templates = {&definition.row};
  for (const ColumnRule& column : definition.columns)
    templates.insert(templates.end(), {&column.qualifier, &column.value});
  return templates;
}

/// Of a part of the key, or of a reference that any template has.
std::optional<TimeReading> TimeReadingOf(const IndexDefinition& definition, std::string_view name) {
  for (const KeyPart& part : KeyParts(definition.row)) {
    if (part.name != name) continue;
    if (auto reading = TimeReadingOf(definition, *part.first, part.steps)) return reading;
  }
  for (const Template* program : CellTemplates(definition)) {
    for (const Part& part : program->parts) {
      if (part.IsLiteral() || part.reference->name != name) continue;
      if (auto reading = TimeReadingOf(definition, part, 0)) return reading;
    }
  }
  return std::nullopt;
}

std::string BytesBy(const TimeReading& reading, int64_t number) {
  if (reading.step == nullptr) return std::to_string(number);
  Scratch scratch;
  Value value{.number = number};
  reading.step->function->reading.invert(reading.step->arguments, &value, &scratch);
  return std::string(value.bytes);
}

std::optional<int64_t> NumberIn(const TimeReading& reading, std::string_view bytes) {
  if (reading.step != nullptr) return NumberBy(*reading.step, bytes);
  int64_t number = 0;
  return ParseNumber(bytes, &number) == Digits::kNumber ? std::optional(number) : std::nullopt;
}

/// Nothing: what was typed, or the part, is no time.
std::optional<Result<std::string>> BytesOfTime(const IndexDefinition& definition, const KeyPart& part,
                                               std::string_view typed) {
  const std::optional<int64_t> millis = ParseInstant(typed);
  const std::optional<TimeReading> reading = millis ? TimeReadingOf(definition, part.name) : std::nullopt;
  if (!reading) return std::nullopt;
  const std::string shown = "<" + part.name + "> counts units of " + std::to_string(reading->unit) + " ms, and ";
  if (*millis % reading->unit != 0) return InvalidArgument(shown + std::string(typed) + " lies between two of them");
  std::string bytes = BytesBy(*reading, *millis / reading->unit);
  if (NumberIn(*reading, bytes) != *millis / reading->unit) {
    return InvalidArgument(shown + std::string(typed) + " does not fit");
  }
  return bytes;
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

Result<std::string> BytesOfPart(const IndexDefinition& definition, const KeyPart& part, std::string_view typed) {
  if (std::optional<Result<std::string>> time = BytesOfTime(definition, part, typed)) return *std::move(time);
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

std::optional<int64_t> TimeOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes) {
  const std::optional<TimeReading> reading = TimeReadingOf(definition, name);
  const std::optional<int64_t> number = reading ? NumberIn(*reading, bytes) : std::nullopt;
  int64_t millis = 0;
  if (!number || BytesBy(*reading, *number) != bytes || __builtin_mul_overflow(*number, reading->unit, &millis)) {
    return std::nullopt;
  }
  return InstantText(millis) ? std::optional(millis) : std::nullopt;
}

}  // namespace fensi::mapping
