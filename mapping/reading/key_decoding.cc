#include "mapping/reading/key_decoding.h"

#include <algorithm>

#include "mapping/compiled_index.h"
#include "mapping/reading/cut.h"
#include "mapping/reading/inverse.h"
#include "mapping/reading/steps.h"

namespace fensi::mapping {
namespace {

/// A part of one of the cell's templates, and the bytes that it made.
struct Made {
  const Part* part;
  std::string_view bytes;
};

/// A value that may have been the one behind the first `steps` steps of a reference.
struct Candidate {
  KnownPart known;
  const Part* part;
  size_t steps;
  Value value;
};

class Decoder {
 public:
  Decoder(const std::vector<KeyPart>& parts, Scratch* scratch) : parts_(&parts), scratch_(scratch) {}

  /// False: the bytes were not made by the template.
  bool Add(const Template& program, std::string_view bytes) {
    const std::optional<Pieces> pieces = Cut(program, bytes);
    if (!pieces) return false;
    for (size_t i = 0; i < program.parts.size(); ++i) {
      if (!program.parts[i].IsLiteral() && (*pieces)[i]) made_.push_back({&program.parts[i], *(*pieces)[i]});
    }
    return true;
  }

  /// Nothing: two parts contradict each other, so the templates did not make these bytes.
  std::optional<std::vector<KnownPart>> Known() {
    std::vector<KnownPart> known;
    for (const Made& made : made_) {
      std::optional<Candidate> candidate = Invert(made);
      if (!candidate) continue;
      if (GivesAll(*candidate)) {
        Learn(std::move(candidate->known), &known);
      } else if (candidate->known.exact) {
        return std::nullopt;
      }
    }
    return known;
  }

 private:
  std::optional<Candidate> Invert(const Made& made) {
    const auto decides = [&](const KeyPart& part) { return part.Decides(*made.part); };
    const auto part = std::find_if(parts_->begin(), parts_->end(), decides);
    const size_t steps = part == parts_->end() ? 0 : part->steps;
    Candidate candidate{{}, made.part, steps, {}};
    candidate.value.bytes = made.bytes;
    bool defaulted = false;
    const Inverse inverse = InvertPart(*made.part, steps, &candidate.value, scratch_, &defaulted);
    if (inverse == Inverse::kNone) return std::nullopt;
    const bool bytes = TypeAt(*made.part, steps) == Type::kBytes;
    candidate.known = {part == parts_->end() ? made.part->reference->name : part->name,
                       bytes ? std::string(candidate.value.bytes) : std::to_string(candidate.value.number),
                       inverse == Inverse::kExact && !defaulted};
    return candidate;
  }

  // The other parts of the same reference made of the same value what stands in the cell.
  bool GivesAll(const Candidate& candidate) {
    return std::all_of(made_.begin(), made_.end(), [&](const Made& made) {
      if (!made.part->reference->Same(*candidate.part->reference)) return true;
      if (!BeginAlike(*made.part, *candidate.part, candidate.steps)) return true;
      Value value = candidate.value;
      const Outcome outcome = RunSteps(*made.part, candidate.steps, made.part->steps.size(), scratch_, &value);
      return outcome == Outcome::kValue && value.bytes == made.bytes;
    });
  }

  static void Learn(KnownPart part, std::vector<KnownPart>* known) {
    for (KnownPart& other : *known) {
      if (other.name != part.name) continue;
      if (part.exact && !other.exact) other = std::move(part);
      return;
    }
    known->push_back(std::move(part));
  }

  const std::vector<KeyPart>* parts_;
  std::vector<Made> made_;
  Scratch* scratch_;
};

// What holds whichever of the columns wrote the cell.
std::vector<KnownPart> InBoth(const std::vector<KnownPart>& a, const std::vector<KnownPart>& b) {
  std::vector<KnownPart> both;
  for (const KnownPart& one : a) {
    const auto same = [&](const KnownPart& other) { return other.name == one.name && other.value == one.value; };
    const auto other = std::find_if(b.begin(), b.end(), same);
    if (other != b.end()) both.push_back({one.name, one.value, one.exact && other->exact});
  }
  return both;
}

}  // namespace

std::vector<KnownPart> DecodeCell(const IndexDefinition& definition, const std::vector<KeyPart>& parts,
                                  const Entry& cell) {
  Scratch scratch;
  Decoder key(parts, &scratch);
  if (!key.Add(definition.row, cell.row)) return {};
  std::optional<std::vector<KnownPart>> known;
  for (const ColumnRule& column : definition.columns) {
    Decoder decoder = key;
    if (column.family != cell.family || !decoder.Add(column.qualifier, cell.qualifier)) continue;
    if (!decoder.Add(column.value, cell.value)) continue;
    std::optional<std::vector<KnownPart>> more = decoder.Known();
    if (more) known = known ? InBoth(*known, *more) : std::move(*more);
  }
  if (!known) known = key.Known();
  return known ? *std::move(known) : std::vector<KnownPart>();
}

std::vector<KnownPart> CompiledIndex::Decode(const Entry& cell) const {
  return DecodeCell(definition_, KeyParts(definition_.row), cell);
}

}  // namespace fensi::mapping
