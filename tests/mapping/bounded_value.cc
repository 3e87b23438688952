#include "tests/mapping/bounded_value.h"

#include <algorithm>
#include <string_view>

#include "mapping/functions/time_format.h"
#include "mapping/lookup/key_parts.h"
#include "mapping/template/program.h"

namespace fensi::mapping {
namespace {

bool ReadInOneWay(const Case& one, const KeyPart& key_part, size_t number_at) {
  return std::all_of(one.row().parts.begin(), one.row().parts.end(), [&](const Part& other) {
    if (!key_part.Decides(other)) return true;
    if (FirstNumber(other, key_part.steps) != number_at) return false;
    if (FirstDecimal(other, key_part.steps) != kNoStep) return false;
    return number_at == kNoStep || BeginAlike(other, *key_part.first, number_at);
  });
}

/// Nothing: bounds of this part mean several things, or instants mean nothing in it.
std::optional<BoundedValue> ValueAt(const Part& part, size_t typed_at, bool instants) {
  BoundedValue bounded{part, typed_at, typed_at, Type::kBytes};
  const size_t number_at = FirstNumber(part, typed_at);
  if (number_at == kNoStep) return instants ? std::nullopt : std::optional(bounded);
  bounded.steps = number_at;
  while (instants && bounded.steps < part.steps.size() && TypeAt(part, bounded.steps) != Type::kTime) ++bounded.steps;
  bounded.type = TypeAt(part, bounded.steps);
  return instants && bounded.type != Type::kTime ? std::nullopt : std::optional(bounded);
}

std::string WrittenInstant(int64_t millis) {
  constexpr std::string_view kFormat = "%Y-%m-%dT%H:%M:%S.%L";
  std::string text(TimeWidth(kFormat), ' ');
  return FormatTime(kFormat, millis, text.data()) ? text : "";
}

/// What a part makes of a value behind so many steps, whether the functions that only check take it or not.
std::optional<std::string> BytesBehind(Part part, size_t steps, Value value) {
  const auto checks = [](const Step& step) { return RoleOf(step) == Role::kChecks; };
  const auto begin = part.steps.begin() + static_cast<std::ptrdiff_t>(steps);
  part.steps.erase(std::remove_if(begin, part.steps.end(), checks), part.steps.end());
  Scratch scratch;
  if (mapping::RunSteps(part, steps, part.steps.size(), &scratch, &value) != Outcome::kValue) return std::nullopt;
  return std::string(value.bytes);
}

/// Does some value inside give the same bytes? Where order is kept it is enough to ask the two ends.
bool GivenInside(const std::string& bytes, const Part& part, const BoundedValue& bounded, ValueSpan span) {
  if (span.from && BytesBehind(part, bounded.steps, *span.from) == bytes) return true;
  if (!span.to) return false;
  if (bounded.type == Type::kBytes) {
    const std::optional<std::string> end = BytesBehind(part, bounded.steps, *span.to);
    span.to->bytes.remove_suffix(1);
    return end == bytes && BytesBehind(part, bounded.steps, *span.to) == bytes;
  }
  --span.to->number;
  return BytesBehind(part, bounded.steps, *span.to) == bytes;
}

}  // namespace

std::optional<BoundedValue> BoundedValueOf(const Case& one, size_t count, bool instants) {
  const IndexDefinition& definition = one.force.definition();
  if (definition.table_template) {
    const auto mixed = [&](const KeyPart& part) {
      return part.first->reference->Same(*definition.period.reference) &&
             !(part.steps == 0 && BeginAlike(*part.first, definition.period, FirstNumber(definition.period, 0)) &&
               ReadInOneWay(one, part, FirstNumber(definition.period, 0)));
    };
    if (std::any_of(one.parts.begin(), one.parts.end(), mixed)) return std::nullopt;
    return ValueAt(definition.period, 0, instants);
  }
  if (count == one.parts.size()) return std::nullopt;
  const KeyPart& part = one.parts[count];
  if (!ReadInOneWay(one, part, FirstNumber(*part.first, part.steps))) return std::nullopt;
  return ValueAt(*part.first, part.steps, instants);
}

std::optional<Value> ABound(const Case& one, const BoundedValue& bounded, Dice* dice, Scratch* scratch) {
  if (dice->OneIn(4)) return std::nullopt;
  auto value = one.force.Run(bounded.part, bounded.steps, dice->Of(one.force.makers()), scratch);
  if (!value) return std::nullopt;
  if (bounded.type != Type::kBytes) {
    const int64_t beside = dice->Of(std::vector<int64_t>{0, 1, -1, 60'000, -3'600'000, 86'400'000});
    if (__builtin_add_overflow(value->number, beside, &value->number)) return std::nullopt;
    if (bounded.type == Type::kReal) value->number = NearestRank(bounded.part.steps[bounded.steps - 1], value->number);
  } else if (dice->OneIn(2)) {
    value->bytes = scratch->Keep(std::string(value->bytes) + dice->Text({"-", "a", "0"}));
  }
  if (bounded.type == Type::kBytes && value->bytes.empty()) return std::nullopt;
  return value;
}

std::string Written(const std::optional<Value>& value, const BoundedValue& bounded, bool instants) {
  if (!value) return "";
  return instants ? WrittenInstant(value->number) : TextOfValue(*value, bounded.type);
}

bool GivenInsideByAny(const Case& one, const Maker& maker, const BoundedValue& bounded, const ValueSpan& span) {
  std::vector<const Part*> parts;
  for (const Part& part : one.row().parts) parts.push_back(&part);
  if (one.force.definition().table_template) {
    for (const Part& part : one.force.definition().table_template->parts) parts.push_back(&part);
  }
  return std::any_of(parts.begin(), parts.end(), [&](const Part* part) {
    if (part->IsLiteral() || !part->reference->Same(*bounded.part.reference)) return false;
    if (!BeginAlike(*part, bounded.part, bounded.steps)) return false;
    const std::optional<std::string> bytes = one.force.BytesOf(*part, maker);
    return bytes && GivenInside(*bytes, *part, bounded, span);
  });
}

bool IsShownExactly(const Case& one, const Shelf::Owned& cell, const BoundedValue& bounded) {
  const std::vector<KnownPart> known = Decode(*one.index, cell.View());
  return std::any_of(known.begin(), known.end(),
                     [&](const KnownPart& part) { return part.exact && part.name == bounded.part.reference->name; });
}

}  // namespace fensi::mapping
