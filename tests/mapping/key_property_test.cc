// What is said about a key before there is one holds for every value: its width, its order, that it is injective, and
// that a reader who knows the parts of an entry finds it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "mapping/definition/analysis.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/mapping/random_templates.h"

namespace fensi::mapping {
namespace {

constexpr int kValuesPerTemplate = 20;

/// A source row with the columns f:a and f:b.
struct Source {
  std::string row, a, b;
  int64_t time = 0;

  std::string Of(const std::string& reference) const {
    if (reference == "row") return row;
    if (reference == "f:a") return a;
    return reference == "f:b" ? b : std::to_string(time);
  }
};

Source RandomSource() {
  Source source{RandomValue(), RandomValue(), RandomValue(), *rc::gen::inRange<int64_t>(0, 4'000'000'000'000)};
  if (source.row.empty()) source.row = "r";
  return source;
}

/// The same but for one or two of its values.
Source Neighbour(Source source) {
  (*rc::gen::arbitrary<bool>() ? source.a : source.b) = RandomValue();
  if (*rc::gen::arbitrary<bool>()) source.row = RandomValue() + "r";
  if (*rc::gen::arbitrary<bool>()) source.time = *rc::gen::inRange<int64_t>(0, 4'000'000'000'000);
  return source;
}

struct Program {
  std::vector<Slot> slots;
  Template compiled;

  /// What the template, or one part of it, makes of a source.
  std::optional<std::string> Run(const Template& program, const Source& source, Outcome* outcome) const {
    std::vector<VisibleCell> cells;
    for (const Slot& slot : slots)
      cells.push_back({"f", slot.qualifier, source.time, slot.qualifier == "a" ? source.a : source.b});
    std::vector<const VisibleCell*> pointers;
    for (const VisibleCell& cell : cells) pointers.push_back(&cell);
    Inputs inputs;
    inputs.row = source.row;
    inputs.slots = pointers;
    Scratch scratch;
    std::string_view out;
    *outcome = RunTemplate(program, inputs, &scratch, &out);
    if (*outcome != Outcome::kValue) return std::nullopt;
    return std::string(out);
  }
  std::optional<std::string> Run(const Source& source) const {
    Outcome outcome = Outcome::kValue;
    return Run(compiled, source, &outcome);
  }
};

Program RandomProgram() {
  const std::string text = RandomTemplate({"row", "f:a", "f:b", "f:a@ts"});
  RC_LOG() << text << "\n";
  Program program;
  std::optional<Template> compiled = CompileText(text, &program.slots);
  RC_PRE(compiled.has_value());
  program.compiled = std::move(*compiled);
  return program;
}

RC_GTEST_PROP(Keys, HaveTheAnnouncedWidth, ()) {
  const Program program = RandomProgram();
  for (int i = 0; i < kValuesPerTemplate; ++i) {
    const Source source = RandomSource();
    for (const Part& part : program.compiled.parts) {
      Outcome outcome = Outcome::kValue;
      const std::optional<std::string> value = program.Run({{part}, part.text}, source, &outcome);
      if (part.shape.total) RC_ASSERT(value.has_value());
      if (!value) continue;
      RC_ASSERT(value->size() >= part.shape.min_width);
      RC_ASSERT(value->size() <= part.shape.max_width);
    }
  }
}

RC_GTEST_PROP(Keys, SaidToBeInjectiveAreNeverTheSameForDifferentInputs, ()) {
  const Program program = RandomProgram();
  if (!IsDecodable(program.compiled)) RC_DISCARD("ambiguous by its own word");
  for (int i = 0; i < kValuesPerTemplate; ++i) {
    const Source one = RandomSource();
    const Source other = Neighbour(one);
    const std::optional<std::string> x = program.Run(one), y = program.Run(other);
    if (!x || !y || *x != *y) continue;
    for (const Part& part : program.compiled.parts) {
      if (part.IsLiteral() || !part.shape.injective) continue;
      const std::string& name = part.reference->name;
      RC_ASSERT(one.Of(name) == other.Of(name));
    }
  }
}

// The order of a source is that of its bytes, or of its numbers where it is read as one.
RC_GTEST_PROP(Keys, SaidToKeepOrderKeepIt, ()) {
  const bool numbers = *rc::gen::arbitrary<bool>();
  const std::string text = RandomPart(numbers ? "f:a@ts" : "f:a", numbers);
  RC_LOG() << text << "\n";
  Program program;
  const std::optional<Template> compiled = CompileText(text, &program.slots);
  RC_PRE(compiled.has_value());
  program.compiled = *compiled;
  const Part& part = program.compiled.parts[0];
  const bool reads_number = !numbers && std::any_of(part.steps.begin(), part.steps.end(), [](const Step& step) {
    return step.function != nullptr && (step.function->inputs & Takes(Type::kInteger, Type::kTime)) != 0;
  });
  if (!part.shape.ordered || reads_number) RC_DISCARD("order not kept, or that of numbers");
  for (int i = 0; i < kValuesPerTemplate; ++i) {
    const Source one = RandomSource(), other = RandomSource();
    const std::optional<std::string> x = program.Run(one), y = program.Run(other);
    if (!x || !y) continue;
    const bool less = numbers ? one.time <= other.time : one.a <= other.a;
    RC_ASSERT((less ? *x <= *y : *x >= *y));
  }
}

RC_GTEST_PROP(Keys, OfNumbersSaidToKeepOrderKeepIt, (int64_t a, int64_t b)) {
  Program program;
  std::string steps = RandomPart("f:a@ts", true);
  const std::string text = "{f:a | int | from_ms" + steps.substr(std::string("{f:a@ts").size());
  RC_LOG() << text << "\n";
  const std::optional<Template> compiled = CompileText(text, &program.slots);
  RC_PRE(compiled.has_value());
  program.compiled = *compiled;
  if (!program.compiled.parts[0].shape.ordered) RC_DISCARD("order not kept");
  const std::optional<std::string> x = program.Run({"r", std::to_string(a), "", 0});
  const std::optional<std::string> y = program.Run({"r", std::to_string(b), "", 0});
  if (!x || !y) return;
  RC_ASSERT((a <= b ? *x <= *y : *x >= *y));
}

RC_GTEST_PROP(Lookup, OfTheFirstPartsOfAnEntryFindsIt, ()) {
  const std::string row = RandomTemplate({"row", "f:a", "f:b", "f:a@ts"});
  RC_LOG() << row << "\n";
  const auto index = TryLoadIndex({"row: '" + row + "'", "columns: { 'f:{row}': '{f:a}' }"});
  RC_PRE(static_cast<bool>(index));
  for (int i = 0; i < kValuesPerTemplate; ++i) {
    const Source source = RandomSource();
    const VisibleCell cells[] = {{"f", "a", source.time, source.a}, {"f", "b", 1, source.b}};
    EntryList entries;
    std::vector<Unmappable> problems;
    index->Derive({source.row, cells}, &entries, &problems);
    if (entries.empty()) continue;
    std::vector<std::string> parts;
    for (const std::string& name : index->key_parts()) parts.push_back(source.Of(name));
    parts.resize(*rc::gen::inRange<size_t>(0, parts.size() + 1));
    const Result<Index::KeyPrefix> key = index->EncodeKey(parts);
    RC_ASSERT(key.ok());
    const auto reads = [&](const std::string& p) {
      return key->complete ? entries[0].row == p : entries[0].row.starts_with(p);
    };
    RC_ASSERT(std::any_of(key->prefixes.begin(), key->prefixes.end(), reads));
  }
}

}  // namespace
}  // namespace fensi::mapping
