// Ranges of row keys for readers: some parts are known, the next lies between two values.
#include <algorithm>
#include <limits>

#include "base/bytes.h"
#include "mapping/compiled_index.h"
#include "mapping/lint/lint.h"
#include "mapping/reading/instant.h"
#include "mapping/reading/references.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

using KeyRange = Index::KeyRange;

/// How a part of the key lies to the values that it is made of.
enum class Direction { kUp, kDown, kNone };

bool KeepsOrderBehind(const Step& step) {
  if (step.function == nullptr) return false;
  const std::string_view name = step.function->name;
  return name == "to_be" || name == "ordered" || name == "hex" || (name == "decimal" && !step.arguments.empty());
}

Direction DirectionOf(const Part& part) {
  if (part.shape.ordered || part.shape.ordered_from_zero) return Direction::kUp;
  if (!part.shape.descending) return Direction::kNone;
  size_t at = part.steps.size();
  while (at > 0 && KeepsOrderBehind(part.steps[at - 1])) --at;
  const bool turned =
      at > 0 && part.steps[at - 1].function != nullptr && part.steps[at - 1].function->name == "descending";
  return turned ? Direction::kDown : Direction::kNone;
}

/// The step behind which the part is a number or a time; 0 for a reference that is a time; npos: it stays bytes.
size_t FirstNumberStep(const Part& part) {
  if (part.reference->IsTime()) return 0;
  for (size_t i = 0; i < part.steps.size(); ++i) {
    const Step& step = part.steps[i];
    if (step.function != nullptr && step.function->takes.find("-> integer") != std::string_view::npos) return i + 1;
    if (step.function != nullptr && step.function->takes.find("-> time") != std::string_view::npos) return i + 1;
  }
  return std::string::npos;
}

/// A bound as bytes of the part: from a number or instant where the part is made of one, else from text.
class BoundEncoder {
 public:
  explicit BoundEncoder(const Part& part) : part_(part), number_at_(FirstNumberStep(part)) {}

  bool IsNumber() const { return number_at_ != std::string::npos; }

  /// `less`: subtracted from a number, to turn an exclusive bound into an inclusive one.
  Result<std::string> Encode(const std::string& text, int64_t less) {
    Value value;
    size_t step = 0;
    if (IsNumber()) {
      const Status read = ReadNumber(text, &value.number, &step);
      if (!read.ok()) return read;
      if (value.number > std::numeric_limits<int64_t>::min()) value.number -= less;
    } else {
      value.bytes = text;
    }
    for (; step < part_.steps.size(); ++step) {
      if (part_.steps[step].function == nullptr) continue;
      const Outcome outcome = part_.steps[step].function->apply(part_.steps[step].arguments, &value, &scratch_);
      if (outcome == Outcome::kUnmappable) return InvalidArgument(part_.text + ": " + scratch_.reason);
      if (outcome == Outcome::kAbsent) return InvalidArgument(part_.text + ": " + Shown(text) + " has no such piece");
    }
    return std::string(value.bytes);
  }

 private:
  // A number is one of the source; an instant enters where the part is a time, or counts milliseconds.
  Status ReadNumber(const std::string& text, int64_t* number, size_t* step) const {
    *step = number_at_;
    if (const std::optional<int64_t> plain = ParseInteger(text)) {
      *number = *plain;
      return Status();
    }
    const std::optional<int64_t> instant = ParseInstant(text);
    if (!instant) {
      return InvalidArgument(Shown(text) +
                             " is neither a whole number nor a time like 2016-12-19 or 2016-12-19T08:00:00Z");
    }
    *number = *instant;
    for (size_t i = number_at_; i < part_.steps.size(); ++i) {
      const bool becomes_time = part_.steps[i].function != nullptr && (part_.steps[i].function->name == "from_s" ||
                                                                       part_.steps[i].function->name == "from_ms");
      if (becomes_time) *step = i + 1;
    }
    return Status();
  }

  const Part& part_;
  const size_t number_at_;
  Scratch scratch_;
};

}  // namespace

Result<std::vector<KeyRange>> CompiledIndex::EncodeRange(std::span<const std::string> parts, const std::string& from,
                                                         const std::string& to) const {
  Result<KeyPrefix> key = EncodeKey(parts);
  if (!key.ok()) return key.status();
  std::vector<KeyRange> ranges;
  if (from.empty() && to.empty()) {
    for (const std::string& prefix : key->prefixes) {
      ranges.push_back(key->complete ? KeyRange{prefix, prefix + '\0'} : KeyRange{prefix, PrefixEnd(prefix)});
    }
    return ranges;
  }
  const std::vector<const Reference*> references = ReaderReferences(definition_.row);
  if (parts.size() >= references.size())
    return InvalidArgument("all parts are given: nothing is left between --from and --to");
  const Part* part = nullptr;
  for (size_t i = SaltParts(definition_.row); i < definition_.row.parts.size() && part == nullptr; ++i) {
    const Part& candidate = definition_.row.parts[i];
    if (!candidate.IsLiteral() && candidate.reference->Same(*references[parts.size()])) part = &candidate;
  }
  const Direction direction = DirectionOf(*part);
  if (direction == Direction::kNone) {
    return InvalidArgument(part->text + " does not keep the order of its values: --from and --to say nothing about it");
  }
  BoundEncoder encoder(*part);
  const auto encode = [&](const std::string& text, int64_t less) -> Result<std::string> {
    return text.empty() ? Result<std::string>(std::string()) : encoder.Encode(text, less);
  };
  const Result<std::string> first = encode(from, 0);
  if (!first.ok()) return first.status().WithContext("--from");
  const Result<std::string> last = encode(to, encoder.IsNumber() ? 1 : 0);
  if (!last.ok()) return last.status().WithContext("--to");
  for (const std::string& prefix : key->prefixes) {
    KeyRange range{prefix, PrefixEnd(prefix)};
    if (direction == Direction::kUp) {
      range.start = prefix + *first;
      const bool whole = encoder.IsNumber() || !part->shape.injective;  // what gives the same bytes belongs to it
      if (!to.empty()) range.stop = whole ? PrefixEnd(prefix + *last) : prefix + *last;
    } else {
      if (!to.empty()) range.start = prefix + *last;
      if (!from.empty()) range.stop = PrefixEnd(prefix + *first);
    }
    ranges.push_back(std::move(range));
  }
  return ranges;
}

}  // namespace fensi::mapping
