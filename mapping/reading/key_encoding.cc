// Row keys for readers: from the parts an application knows to the prefix they decide.
#include <algorithm>

#include "mapping/compiled_index.h"
#include "mapping/lint/lint.h"
#include "mapping/reading/references.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {

std::vector<const Reference*> ReaderReferences(const Template& row) {
  std::vector<const Reference*> references;
  for (size_t i = SaltParts(row); i < row.parts.size(); ++i) {
    if (row.parts[i].IsLiteral()) continue;
    const Reference* reference = &*row.parts[i].reference;
    const auto same = [reference](const Reference* other) { return other->Same(*reference); };
    if (std::none_of(references.begin(), references.end(), same)) references.push_back(reference);
  }
  return references;
}

namespace {

constexpr int64_t kMostPrefixes = 4096;

// What the reader gave, in the shape in which templates are run.
struct Given {
  std::vector<const Reference*> references;
  std::vector<VisibleCell> cells;
  std::vector<const VisibleCell*> slots;
  VisibleCell bound;
  Inputs inputs;

  bool Knows(const Reference& reference) const {
    return std::any_of(references.begin(), references.end(),
                       [&](const Reference* other) { return other->Same(reference); });
  }
};

Status SetTime(const std::string& part, const Reference& reference, int64_t* out) {
  const std::optional<int64_t> millis = ParseInteger(part);
  if (!millis) {
    return Status(StatusCode::kInvalidArgument,
                  reference.name + " is a time in milliseconds, and " + Shown(part) + " is no number");
  }
  *out = *millis;
  return Status();
}

Status Set(const Reference& reference, const std::string& part, Given* given) {
  using enum Reference::Kind;
  switch (reference.kind) {
    case kRow:
      given->inputs.row = part;
      break;
    case kItem:
      given->inputs.item = part;
      break;
    case kColumn:
      given->cells[reference.slot].value = part;
      break;
    case kBoundFamily:
      given->bound.family = part;
      break;
    case kBoundQualifier:
      given->bound.qualifier = part;
      break;
    case kBoundValue:
      given->bound.value = part;
      break;
    case kColumnTime:
      return SetTime(part, reference, &given->cells[reference.slot].timestamp);
    case kBoundTime:
      return SetTime(part, reference, &given->bound.timestamp);
  }
  return Status();
}

Status KeyError(const Part& part, Outcome outcome, const Scratch& scratch) {
  return Status(StatusCode::kInvalidArgument,
                part.text + ": " + (outcome == Outcome::kAbsent ? "the value has no such piece" : scratch.reason));
}

// The steps behind `mod n`, for every remainder.
Status AppendSalts(const Part& part, size_t mod, Index::KeyPrefix* key) {
  const int64_t n = part.steps[mod].arguments[0].number;
  std::vector<std::string> salted;
  Scratch scratch;
  for (int64_t remainder = 0; remainder < n; ++remainder) {
    Value value;
    value.number = remainder;
    for (size_t i = mod + 1; i < part.steps.size(); ++i) {
      if (part.steps[i].function == nullptr) continue;
      const Outcome outcome = part.steps[i].function->apply(part.steps[i].arguments, &value, &scratch);
      if (outcome != Outcome::kValue) return KeyError(part, outcome, scratch);
    }
    for (const std::string& prefix : key->prefixes) salted.push_back(prefix + std::string(value.bytes));
  }
  key->prefixes = std::move(salted);
  return Status();
}

bool CanSalt(const Part& part, const Index::KeyPrefix& key) {
  const std::optional<size_t> mod = ModStep(part);
  return mod && part.steps[*mod].arguments[0].number * static_cast<int64_t>(key.prefixes.size()) <= kMostPrefixes;
}

}  // namespace

std::vector<std::string> CompiledIndex::key_parts() const {
  std::vector<std::string> names;
  for (const Reference* reference : ReaderReferences(definition_.row)) names.push_back(reference->name);
  return names;
}

Result<Index::KeyPrefix> CompiledIndex::EncodeKey(std::span<const std::string> parts) const {
  Given given;
  given.references = ReaderReferences(definition_.row);
  if (parts.size() > given.references.size()) {
    return Status(StatusCode::kInvalidArgument, std::to_string(parts.size()) + " parts were given, the row key of '" +
                                                    name() + "' has " + std::to_string(given.references.size()));
  }
  given.references.resize(parts.size());
  given.cells.resize(definition_.slots.size());
  for (const VisibleCell& cell : given.cells) given.slots.push_back(&cell);
  given.inputs.slots = given.slots;
  given.inputs.bound = &given.bound;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Status set = Set(*given.references[i], parts[i], &given);
    if (!set.ok()) return set;
  }
  KeyPrefix key{{""}, true};
  Scratch scratch;
  const size_t salts = SaltParts(definition_.row);
  for (size_t i = 0; i < definition_.row.parts.size(); ++i) {
    const Part& part = definition_.row.parts[i];
    if (!part.IsLiteral() && !given.Knows(*part.reference)) {
      if (i >= salts || !CanSalt(part, key)) return KeyPrefix{key.prefixes, false};
      const Status salted = AppendSalts(part, *ModStep(part), &key);
      if (!salted.ok()) return salted;
      continue;
    }
    Value value;
    value.bytes = part.literal;
    const Outcome outcome = part.IsLiteral() ? Outcome::kValue : RunPart(part, given.inputs, &scratch, &value);
    if (outcome != Outcome::kValue) return KeyError(part, outcome, scratch);
    for (std::string& prefix : key.prefixes) prefix.append(value.bytes);
  }
  return key;
}

}  // namespace fensi::mapping
