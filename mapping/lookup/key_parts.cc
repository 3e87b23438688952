#include "mapping/lookup/key_parts.h"

#include <algorithm>
#include <charconv>

#include "mapping/functions/numbers_as_text.h"
#include "mapping/instant.h"
#include "mapping/lookup/numbers.h"
#include "mapping/template/program.h"

namespace fensi::mapping {
namespace {

size_t PieceSteps(const Part& part) {
  size_t steps = 0;
  while (steps < part.steps.size() && RoleOf(part.steps[steps]) == Role::kPiece) ++steps;
  return steps;
}

KeyPart PieceOf(const Part& part, size_t steps) {
  KeyPart piece{&part, steps, part.reference->name};
  for (size_t i = 0; i < steps; ++i) piece.name += " | " + StepText(part.steps[i]);
  return piece;
}

// Nobody can give the whole of a value of which the key holds nothing but several pieces, or a piece of a binary
// record.
bool InPieces(const std::vector<const Part*>& parts, const Part& part) {
  const size_t steps = PieceSteps(part);
  bool several = steps > 0 && part.steps[0].function != nullptr && part.steps[0].function->reading.reads_binary;
  for (const Part* other : parts) {
    if (!other->reference->Same(*part.reference)) continue;
    if (PieceSteps(*other) == 0) return false;
    several = several || PieceSteps(*other) != steps || !BeginAlike(*other, part, steps);
  }
  return several;
}

}  // namespace

bool KeyPart::Decides(const Part& part) const {
  return !part.IsLiteral() && part.reference->Same(*first->reference) && BeginAlike(part, *first, steps);
}

std::vector<KeyPart> KeyParts(const Template& row) {
  std::vector<const Part*> parts;
  for (size_t i = SaltParts(row); i < row.parts.size(); ++i) {
    if (!row.parts[i].IsLiteral()) parts.push_back(&row.parts[i]);
  }
  std::vector<KeyPart> out;
  for (const Part* part : parts) {
    const auto decides = [part](const KeyPart& known) { return known.Decides(*part); };
    if (std::any_of(out.begin(), out.end(), decides)) continue;
    out.push_back(PieceOf(*part, InPieces(parts, *part) ? PieceSteps(*part) : 0));
  }
  return out;
}

namespace {

enum class Digits : uint8_t { kNumber, kTooLarge, kNone };

Digits ParseNumber(std::string_view text, int64_t* number) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, *number);
  if (text.empty() || at != end) return Digits::kNone;
  return error == std::errc() ? Digits::kNumber : Digits::kTooLarge;
}

Type TypeBehind(const Step& step) {
  Shape shape;
  step.function->shape(step.arguments, &shape);
  return shape.type;
}

std::optional<int64_t> NumberBy(const Step& step, std::string_view bytes) {
  Scratch scratch;
  Value value{.bytes = bytes};
  if (step.function->apply(step.arguments, &value, &scratch) != Outcome::kValue) return std::nullopt;
  return value.number;
}

// A user writes 19.9 for the float that is nearest to it.
Inverse BackFrom(const Step& step, Type type, Value* value, Scratch* scratch) {
  const Value typed = *value;
  const Inverse inverse = step.function->reading.invert(step.arguments, value, scratch);
  const auto nearest = type == Type::kReal ? RankOfNearestFloat(typed.number) : std::nullopt;
  if (inverse != Inverse::kNone || !nearest) return inverse;
  *value = {.number = *nearest};
  return step.function->reading.invert(step.arguments, value, scratch);
}

bool ReadTextOf(Type type, std::string_view typed, Value* value, Scratch* scratch) {
  if (ReadTyped(type, typed, value, scratch)) return true;
  const std::optional<int64_t> millis = type == Type::kTime ? ParseInstant(typed) : std::nullopt;
  if (millis) value->number = *millis;
  return millis.has_value();
}

}  // namespace

int64_t NearestRank(const Step& step, int64_t rank) {
  Scratch scratch;
  Value value{.number = rank};
  if (RoleOf(step) != Role::kReadsBytes || BackFrom(step, Type::kReal, &value, &scratch) == Inverse::kNone) return rank;
  return NumberBy(step, std::string(value.bytes)).value_or(rank);
}

std::optional<std::string> TextBy(const Step& step, std::string_view bytes) {
  Scratch scratch;
  Value value{.bytes = bytes};
  if (step.function->apply(step.arguments, &value, &scratch) != Outcome::kValue) return std::nullopt;
  return TypedText(TypeBehind(step), value);
}

std::optional<std::string> BytesByText(const Step& step, std::string_view typed) {
  Scratch scratch;
  Value value;
  const Type type = TypeBehind(step);
  if (!ReadTextOf(type, typed, &value, &scratch)) return std::nullopt;
  if (BackFrom(step, type, &value, &scratch) == Inverse::kNone) return std::nullopt;
  std::string bytes(value.bytes);
  if (!TextBy(step, bytes)) return std::nullopt;
  return bytes;
}

namespace {

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
  if (definition.table_template) templates.push_back(&*definition.table_template);
  for (const ColumnRule& column : definition.columns)
    templates.insert(templates.end(), {&column.qualifier, &column.value});
  return templates;
}

/// For a part of the key, or a reference of any template.
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
  const std::string shown =
      "the part <" + part.name + "> counts units of " + std::to_string(reading->unit) + " ms, and ";
  if (*millis % reading->unit != 0)
    return InvalidArgument(shown + std::string(typed) +
                           " is not a multiple of this unit: round the time to whole units");
  std::string bytes = BytesBy(*reading, *millis / reading->unit);
  if (NumberIn(*reading, bytes) != *millis / reading->unit) {
    return InvalidArgument(shown + std::string(typed) + " does not fit into the bytes of the part: write another time");
  }
  return bytes;
}

/// The bytes of a number in digits, where the key has the bytes themselves and another template reads a time out of
/// them. Absent: what was typed, or the part, is none.
std::optional<std::string> BytesOfTimesNumber(const IndexDefinition& definition, const KeyPart& part,
                                              std::string_view typed) {
  int64_t number = 0;
  if (NumberStep(part) != nullptr || ParseNumber(typed, &number) != Digits::kNumber) return std::nullopt;
  const std::optional<TimeReading> reading = TimeReadingOf(definition, part.name);
  if (!reading || reading->step == nullptr || RoleOf(*reading->step) != Role::kReadsBytes) return std::nullopt;
  std::string bytes = BytesBy(*reading, number);
  return NumberIn(*reading, bytes) == number ? std::optional(std::move(bytes)) : std::nullopt;
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

/// Does one of the bytes that give a value stand for all of them? Not where another part of the key is made of the
/// bytes themselves.
bool GivesAllBytes(const IndexDefinition& definition, const KeyPart& part, const Step& step) {
  if (step.function->reading.best(step.arguments) == Inverse::kExact) return true;
  const std::vector<Part>& parts = definition.row.parts;
  return std::all_of(parts.begin(), parts.end(), [&part](const Part& other) {
    return !part.Decides(other) || BeginAlike(other, *part.first, part.steps + 1);
  });
}

// Bytes themselves are possible, too, but a printable text is a value that someone meant to write otherwise.
Result<std::string> RawBytes(const KeyPart& part, const Step& step, std::string_view typed) {
  const bool printable = std::all_of(typed.begin(), typed.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (!printable || typed.empty()) return std::string(typed);
  return InvalidArgument("the part <" + part.name + "> is read by " + StepText(step) + ", and " + Shown(typed) +
                         " is no value of this function: write the value as 'fensi lookup' shows it");
}

}  // namespace

const Step* NumberStep(const KeyPart& part) {
  if (part.steps >= part.first->steps.size()) return nullptr;
  const Step& step = part.first->steps[part.steps];
  return RoleOf(step) == Role::kReadsBytes ? &step : nullptr;
}

bool ReadsText(const KeyPart& part) {
  const Step* const step = NumberStep(part);
  return step != nullptr && TypeBehind(*step) == Type::kBytes;
}

Result<std::string> BytesOfPart(const IndexDefinition& definition, const KeyPart& part, std::string_view typed) {
  if (std::optional<Result<std::string>> time = BytesOfTime(definition, part, typed)) return *std::move(time);
  if (std::optional<std::string> bytes = BytesOfTimesNumber(definition, part, typed)) return *std::move(bytes);
  const Step* const step = NumberStep(part);
  if (step != nullptr && !GivesAllBytes(definition, part, *step)) return std::string(typed);
  if (step != nullptr && TypeBehind(*step) != Type::kInteger) {
    if (std::optional<std::string> bytes = BytesByText(*step, typed)) return *std::move(bytes);
    return RawBytes(part, *step, typed);
  }
  int64_t number = 0;
  const Digits digits = step == nullptr ? Digits::kNone : ParseNumber(typed, &number);
  if (step == nullptr) return std::string(typed);
  if (digits == Digits::kNone) return RawBytes(part, *step, typed);
  Scratch scratch;
  Value value{.number = number};
  step->function->reading.invert(step->arguments, &value, &scratch);
  if (digits == Digits::kTooLarge || NumberBy(*step, value.bytes) != number) {
    return InvalidArgument(std::string(typed) + " is out of range for <" + part.name +
                           ">: write a number that fits the function '" + std::string(step->function->name) + "'");
  }
  return std::string(value.bytes);
}

std::optional<int64_t> NumberOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes) {
  const Step* const step = NumberStepOf(definition, name);
  return step == nullptr || TypeBehind(*step) != Type::kInteger ? std::nullopt : NumberBy(*step, bytes);
}

std::optional<std::string> TextOfPart(const IndexDefinition& definition, std::string_view name,
                                      std::string_view bytes) {
  const Step* const step = NumberStepOf(definition, name);
  if (step == nullptr || TypeBehind(*step) == Type::kInteger) return std::nullopt;
  std::optional<std::string> text = TextBy(*step, bytes);
  return text && BytesByText(*step, *text) == bytes ? text : std::nullopt;
}

std::optional<int64_t> TimeOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes) {
  const std::optional<TimeReading> reading = TimeReadingOf(definition, name);
  const std::optional<int64_t> number = reading ? NumberIn(*reading, bytes) : std::nullopt;
  int64_t millis = 0;
  if (!number || BytesBy(*reading, *number) != bytes || __builtin_mul_overflow(*number, reading->unit, &millis)) {
    return std::nullopt;
  }
  return FormatInstant(millis) ? std::optional(millis) : std::nullopt;
}

}  // namespace fensi::mapping
