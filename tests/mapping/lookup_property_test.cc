// `lookup` of random indexes gives what a filter over all of their entries gives.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/functions/time_format.h"
#include "mapping/lookup.h"
#include "mapping/lookup/key_parts.h"
#include "mapping/template/program.h"
#include "tests/mapping/lookup_world.h"

namespace fensi::mapping {
namespace {

constexpr int kLookups = 6;

std::string TextOf(const Value& value, Type type) { return TypedText(type, value); }

/// What a reader types to ask for a source; nothing: it has no such value.
std::optional<std::vector<std::string>> PartsOf(const World& world, const Source& source, size_t count) {
  const std::vector<KeyPart> parts = KeyParts(world.row());
  std::vector<std::string> texts;
  Scratch scratch;
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Value> value = world.Run(*parts[i].first, parts[i].steps, source, &scratch);
    if (!value) return std::nullopt;
    texts.push_back(TextOf(*value, TypeAt(*parts[i].first, parts[i].steps)));
  }
  return texts;
}

/// Do the first parts of two sources give the same bytes, wherever they stand in the key?
bool SameParts(const World& world, const Source& one, const Source& other, size_t count) {
  const std::vector<KeyPart> parts = KeyParts(world.row());
  for (const Part& part : world.row().parts) {
    const auto decides = [&](const KeyPart& given) { return given.Decides(part); };
    if (std::none_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count), decides)) continue;
    if (world.BytesOf(part, one) != world.BytesOf(part, other)) return false;
  }
  return true;
}

RC_GTEST_PROP(Lookup, OfPartsIsAFilterOfAllEntries, ()) {
  const World world;
  const size_t most = KeyParts(world.row()).size();
  for (int i = 0; i < kLookups; ++i) {
    const Source& asked = *rc::gen::elementOf(world.sources());
    const size_t count = *rc::gen::inRange<size_t>(0, most + 1);
    const auto texts = PartsOf(world, asked, count);
    if (!texts) continue;
    const auto lookup = PlanLookup(world.index(), {*texts, "", ""});
    RC_LOG() << "asked for row " << Escape(asked.row) << " with " << count << " parts\n";
    if (!lookup.ok()) continue;
    const std::vector<Shelf::Owned> found = world.shelf().Find(**lookup);
    for (const Shelf::Owned& entry : world.shelf().entries()) {
      const Source* source = world.Of(entry);
      if (source == nullptr) continue;
      RC_LOG() << Escape(entry.row) << "\n";
      RC_ASSERT(Shelf::IsIn(found, entry) == SameParts(world, asked, *source, count));
    }
  }
}

/// A bounded part as the filter sees it: the value behind some steps of a part of the key.
struct Bounded {
  Part part;
  size_t steps = 0;
  Type type = Type::kBytes;
  std::string reference;
};

/// Nothing: parts of one reference are read in several ways.
std::optional<Bounded> BoundedPart(const World& world, size_t part, bool instants) {
  const KeyPart key_part = KeyParts(world.row())[part];
  const size_t number_at = FirstNumber(*key_part.first, key_part.steps);
  const size_t text_at = FirstText(*key_part.first, key_part.steps);
  for (const Part& other : world.row().parts) {
    if (!key_part.Decides(other)) continue;
    if (FirstNumber(other, key_part.steps) != number_at) return std::nullopt;
    if (number_at != kNoStep && !BeginAlike(other, *key_part.first, number_at)) return std::nullopt;
    if (FirstDecimal(other, key_part.steps) != kNoStep) return std::nullopt;
    if (FirstText(other, key_part.steps) != text_at) return std::nullopt;
  }
  Bounded bounded{*key_part.first, key_part.steps, Type::kBytes, key_part.first->reference->name};
  if (text_at != kNoStep) {  // a bound is a text, such as that of a UUID
    if (bounded.part.steps[text_at - 1].function->reading.unsorted_text) return std::nullopt;
    bounded.steps = text_at;
  }
  if (number_at == kNoStep) return instants ? std::nullopt : std::optional(bounded);
  bounded.steps = number_at;
  while (instants && bounded.steps < bounded.part.steps.size() && TypeAt(bounded.part, bounded.steps) != Type::kTime) {
    ++bounded.steps;
  }
  bounded.type = TypeAt(bounded.part, bounded.steps);
  return instants && bounded.type != Type::kTime ? std::nullopt : std::optional(bounded);
}

std::string FormatInstant(int64_t millis) {
  constexpr std::string_view kFormat = "%Y-%m-%dT%H:%M:%S.%L";
  std::string text(TimeWidth(kFormat), ' ');
  return FormatTime(kFormat, millis, text.data()) ? text : "";
}

bool Inside(const Value& value, const Bounded& bounded, const std::optional<Value>& from,
            const std::optional<Value>& to) {
  if (bounded.type == Type::kBytes) return (!from || value.bytes >= from->bytes) && (!to || value.bytes < to->bytes);
  return (!from || value.number >= from->number) && (!to || value.number < to->number);
}

/// A value of a source, or one beside it.
std::optional<Value> RandomBound(const World& world, const Bounded& bounded, Scratch* scratch) {
  if (*rc::gen::inRange(0, 4) == 0) return std::nullopt;
  std::optional<Value> value = world.Run(bounded.part, bounded.steps, *rc::gen::elementOf(world.sources()), scratch);
  if (!value) return std::nullopt;
  if (bounded.type != Type::kBytes) {
    value->number += *rc::gen::element<int64_t>(0, 1, -1, 60'000, -3'600'000, 86'400'000);
    if (bounded.type == Type::kReal) value->number = NearestRank(bounded.part.steps[bounded.steps - 1], value->number);
  } else if (*rc::gen::arbitrary<bool>()) {
    value->bytes = scratch->Keep(std::string(value->bytes) + *rc::gen::element<std::string>("-", "a", "0"));
  }
  if (bounded.type == Type::kBytes && value->bytes.empty()) return std::nullopt;
  return value;
}

std::string BoundText(const std::optional<Value>& value, const Bounded& bounded, bool instants) {
  if (!value) return "";
  return instants ? FormatInstant(value->number) : TextOf(*value, bounded.type);
}

std::optional<std::string> BytesBehind(const Bounded& bounded, Value value) {
  Scratch scratch;
  Part part = bounded.part;
  std::erase_if(part.steps, [](const Step& step) { return RoleOf(step) == Role::kChecks; });
  const size_t skipped = bounded.part.steps.size() - part.steps.size();
  if (RunSteps(part, bounded.steps - std::min(bounded.steps, skipped), part.steps.size(), &scratch, &value) !=
      Outcome::kValue) {
    return std::nullopt;
  }
  return std::string(value.bytes);
}

/// Does some value inside give the same bytes? As order is kept, it is enough to ask the two ends.
bool SharesBytes(const std::string& bytes, const Bounded& bounded, const std::optional<Value>& from,
                 std::optional<Value> to) {
  if (from && BytesBehind(bounded, *from) == bytes) return true;
  if (!to) return false;
  if (bounded.type == Type::kBytes) {
    const std::optional<std::string> end = BytesBehind(bounded, *to);
    to->bytes.remove_suffix(1);
    return end == bytes && BytesBehind(bounded, *to) == bytes;
  }
  --to->number;
  return BytesBehind(bounded, *to) == bytes;
}

/// In one of the parts that a reference is in at least.
bool SharesAny(const World& world, const Source& source, Bounded bounded, const std::optional<Value>& from,
               const std::optional<Value>& to) {
  for (const Part& part : world.row().parts) {
    if (part.IsLiteral() || part.reference->name != bounded.reference) continue;
    bounded.part = part;
    const std::optional<std::string> bytes = world.BytesOf(part, source);
    if (bytes && SharesBytes(*bytes, bounded, from, to)) return true;
  }
  return false;
}

RC_GTEST_PROP(Lookup, BetweenBoundsIsAFilterOfAllEntries, ()) {
  const World world;
  const size_t most = KeyParts(world.row()).size();
  for (int i = 0; i < kLookups; ++i) {
    const Source& asked = *rc::gen::elementOf(world.sources());
    const size_t count = *rc::gen::inRange<size_t>(0, most);
    const bool instants = *rc::gen::arbitrary<bool>();
    const auto texts = PartsOf(world, asked, count);
    const auto bounded = BoundedPart(world, count, instants);
    if (!texts || !bounded || world.periods()) continue;
    Scratch scratch;
    const std::optional<Value> from = RandomBound(world, *bounded, &scratch),
                               to = RandomBound(world, *bounded, &scratch);
    const LookupRequest request{*texts, BoundText(from, *bounded, instants), BoundText(to, *bounded, instants)};
    if ((request.from.empty() && from) || (request.to.empty() && to) || (!from && !to)) continue;
    RC_LOG() << count << " parts of row " << Escape(asked.row) << ", from " << Escape(request.from) << " to "
             << Escape(request.to) << "\n";
    const auto lookup = PlanLookup(world.index(), request);
    if (!lookup.ok()) continue;
    const std::vector<Shelf::Owned> found = world.shelf().Find(**lookup);
    for (const Shelf::Owned& entry : world.shelf().entries()) {
      const Source* source = world.Of(entry);
      const auto value = source == nullptr ? std::nullopt : world.Run(bounded->part, bounded->steps, *source, &scratch);
      if (!value) continue;
      RC_LOG() << Escape(entry.row) << "\n";
      const bool fits = SameParts(world, asked, *source, count);
      const bool inside = Inside(*value, *bounded, from, to);
      if (fits && inside) RC_ASSERT(Shelf::IsIn(found, entry));
      if (!Shelf::IsIn(found, entry)) continue;
      RC_ASSERT(fits);
      const bool told = world.TellsExactly() == bounded->reference && source->has_a;
      if (told) RC_ASSERT(inside);
      RC_ASSERT((inside || SharesAny(world, *source, *bounded, from, to)));
    }
  }
}

RC_GTEST_PROP(Lookup, OfATimeSpanReadsEveryPeriodTableOfIt, ()) {
  const World world;
  RC_PRE(world.periods());
  for (int i = 0; i < kLookups; ++i) {
    const Source& first = *rc::gen::elementOf(world.sources());
    const int64_t from = first.time + *rc::gen::element<int64_t>(0, 1, -86'400'000);
    const int64_t to = from + *rc::gen::inRange<int64_t>(0, 40LL * 86'400'000);
    if (from < 0) continue;
    const bool numbers = *rc::gen::arbitrary<bool>();
    const auto text = [&](int64_t time) { return numbers ? std::to_string(time) : FormatInstant(time); };
    const auto lookup = PlanLookup(world.index(), {{}, text(from), text(to)});
    RC_LOG() << "from " << text(from) << " to " << text(to) << "\n";
    if (!lookup.ok()) continue;
    const std::vector<Shelf::Owned> found =
        (*lookup)->tables().empty() ? std::vector<Shelf::Owned>() : world.shelf().Find(**lookup);
    for (const Shelf::Owned& entry : world.shelf().entries()) {
      const Source* source = world.Of(entry);
      if (source == nullptr || !source->has_a) continue;
      const auto day = [](int64_t time) { return FormatInstant(time).substr(0, 10); };
      const bool inside = source->time >= from && source->time < to;
      RC_LOG() << Escape(entry.row) << "\n";
      if (inside) RC_ASSERT(Shelf::IsIn(found, entry));
      if (Shelf::IsIn(found, entry)) {
        RC_ASSERT((from < to && day(source->time) >= day(from) && day(source->time) <= day(to - 1)));
      }
    }
  }
}

}  // namespace
}  // namespace fensi::mapping
