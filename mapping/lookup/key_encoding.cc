#include "mapping/lookup/key_encoding.h"

#include <algorithm>
#include <set>

#include "mapping/template/steps.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

// A reader of more salts than these reads from the front of the table on.
constexpr int64_t kMostPrefixes = 4096;

Result<Value> ValueOf(const KeyPart& part, const std::string& text) {
  const Type type = TypeAt(*part.first, part.steps);
  Value value;
  value.bytes = text;
  if (type == Type::kBytes) return value;
  const std::optional<int64_t> number = ParseInteger(text);
  if (!number) {
    return InvalidArgument(part.name + " is " + (type == Type::kTime ? "a time in milliseconds" : "a whole number") +
                           ", and " + Shown(text) + " is no number");
  }
  value.number = *number;
  return value;
}

Result<std::string> Encode(const Part& part, size_t begin, Value value) {
  Scratch scratch;
  const std::string given(value.bytes);
  const Outcome outcome = RunSteps(part, begin, part.steps.size(), &scratch, &value);
  if (outcome == Outcome::kValue) return std::string(value.bytes);
  if (outcome != Outcome::kAbsent) return InvalidArgument(part.text + ": " + scratch.reason);
  return InvalidArgument(part.text + ": " + Shown(given) +
                         " has no such piece. Give the whole value, as the source has it: the lookup takes the piece "
                         "out of it as the index does. For {p:url | after \"//\"} give https://example.com, not "
                         "example.com");
}

Status Decide(const Template& row, const KeyPart& part, const std::string& text, EncodedKey* key) {
  const Result<Value> value = ValueOf(part, text);
  if (!value.ok()) return value.status();
  for (size_t i = 0; i < row.parts.size(); ++i) {
    if (!part.Decides(row.parts[i])) continue;
    Result<std::string> piece = Encode(row.parts[i], part.steps, *value);
    if (!piece.ok()) return piece.status();
    key->pieces[i] = std::move(*piece);
  }
  return Status();
}

int64_t SaltsOf(const Step& step) { return step.function->reading.salts(step.arguments); }

// What the steps behind a salt make of every one of its results, and of what `default` puts in the place of one. A
// result that they refuse begins no key.
std::set<std::string> SaltsOf(const Part& part) {
  const size_t at = *SaltStep(part);
  const Step& step = part.steps[at];
  std::set<std::string> salts;
  Scratch scratch;
  const auto add = [&](size_t begin, const Value& value) {
    Result<std::string> salt = Encode(part, begin, value);
    if (salt.ok()) salts.insert(std::move(*salt));
  };
  for (int64_t n = 0; n < SaltsOf(step); ++n) {
    Value value;
    step.function->reading.salt(step.arguments, n, &value, &scratch);
    add(at + 1, value);
  }
  for (size_t i = at + 1; i < part.steps.size(); ++i) {
    if (part.steps[i].function != nullptr) continue;
    Value value;
    value.bytes = part.steps[i].arguments[0].text;
    value.number = part.steps[i].arguments[0].number;
    add(i + 1, value);
  }
  return salts;
}

/// False: there are too many.
bool AddSalts(const Part& part, std::vector<std::string>* prefixes) {
  if (SaltsOf(part.steps[*SaltStep(part)]) > kMostPrefixes) return false;
  const std::set<std::string> salts = SaltsOf(part);
  if (static_cast<int64_t>(salts.size() * prefixes->size()) > kMostPrefixes) return false;
  std::vector<std::string> salted;
  for (const std::string& prefix : *prefixes) {
    for (const std::string& salt : salts) salted.push_back(prefix + salt);
  }
  *prefixes = std::move(salted);
  return true;
}

}  // namespace

Result<EncodedKey> EncodeParts(const Template& row, const std::vector<KeyPart>& parts,
                               std::span<const std::string> given) {
  EncodedKey key{std::vector<std::optional<std::string>>(row.parts.size()), {""}, 0};
  for (size_t i = 0; i < row.parts.size(); ++i) {
    if (row.parts[i].IsLiteral()) key.pieces[i] = row.parts[i].literal;
  }
  for (size_t i = 0; i < given.size(); ++i) {
    const Status decided = Decide(row, parts[i], given[i], &key);
    if (!decided.ok()) return decided;
  }
  const size_t salts = SaltParts(row);
  for (; key.open < row.parts.size(); ++key.open) {
    const std::optional<std::string>& piece = key.pieces[key.open];
    if (!piece && (key.open >= salts || !AddSalts(row.parts[key.open], &key.prefixes))) break;
    if (!piece) continue;
    for (std::string& prefix : key.prefixes) prefix += *piece;
  }
  return key;
}

}  // namespace fensi::mapping
