#include "mapping/lookup/key_encoding.h"

#include <algorithm>
#include <set>

#include "mapping/functions/numbers_as_text.h"
#include "mapping/lookup/inverse.h"
#include "mapping/lookup/numbers.h"
#include "mapping/template/program.h"

namespace fensi::mapping {
namespace {

// A reader of more salts than these reads from the front of the table on.
constexpr int64_t kMostPrefixes = 4096;

Result<Value> ValueOf(const KeyPart& part, const std::string& text, Scratch* scratch) {
  const Type type = TypeAt(*part.first, part.steps);
  Value value;
  if (ReadTyped(type, text, &value, scratch)) return value;
  const char* what = type == Type::kTime      ? "a time in milliseconds"
                     : type == Type::kInteger ? "a whole number of 64 bits"
                                              : "a number";
  return InvalidArgument("the part <" + part.name + "> is " + what + ", and " + Shown(text) +
                         " is not: write digits, such as 42");
}

Result<std::string> Encode(const Part& part, size_t begin, Value value) {
  Scratch scratch;
  const std::string given(value.bytes);
  const Outcome outcome = RunSteps(part, begin, part.steps.size(), &scratch, &value);
  if (outcome == Outcome::kValue) return std::string(value.bytes);
  if (outcome != Outcome::kAbsent) return InvalidArgument(part.text + ": " + scratch.reason);
  return InvalidArgument(
      part.text + ": " + Shown(given) +
      " has no such piece. Give the whole value, as the source has it, because the lookup takes the piece out of the "
      "value. For {p:url | after \"//\"} give https://example.com, not example.com");
}

Status Decide(const Template& row, const KeyPart& part, const std::string& text, EncodedKey* key) {
  Scratch scratch;
  FENSI_ASSIGN_OR_RETURN(const Value value, ValueOf(part, text, &scratch));
  for (size_t i = 0; i < row.parts.size(); ++i) {
    if (!part.Decides(row.parts[i])) continue;
    FENSI_ASSIGN_OR_RETURN(std::string piece, Encode(row.parts[i], part.steps, value));
    key->pieces[i] = std::move(piece);
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

Status TooManyParts(const std::string& index, size_t given, size_t known) {
  const size_t more = given - known;
  return InvalidArgument(std::to_string(given) + " parts are given, but the row key of index " + index + " has only " +
                         std::to_string(known) + ": remove the last " +
                         (more == 1 ? std::string("part") : std::to_string(more) + " parts"));
}

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
      if (!candidate || !candidate->known.exact) {
        if (std::optional<Candidate> together = InvertTogether(made)) candidate = std::move(together);
      }
      if (!candidate) continue;
      if (GivesAll(*candidate)) {
        Learn(std::move(candidate->known), &known);
      } else if (candidate->known.exact) {
        return std::nullopt;
      }
    }
    return known;
  }

  /// The numbers that agree with all parts, after that many steps of a part.
  std::optional<Numbers> NumbersOf(const Part& part, size_t number_at) {
    std::vector<Numbers> several;
    for (const Made& made : made_) {
      if (!made.part->reference->Same(*part.reference) || !BeginAlike(*made.part, part, number_at)) continue;
      const auto numbers = NumbersThatGive(*made.part, number_at, made.bytes, scratch_);
      if (numbers) several.push_back(*numbers);
    }
    return InAll(several);
  }

 private:
  Candidate CandidateOf(const Made& made) const {
    const auto decides = [&](const KeyPart& part) { return part.Decides(*made.part); };
    const auto part = std::find_if(parts_->begin(), parts_->end(), decides);
    Candidate candidate{{}, made.part, 0, {}};
    candidate.known.name = part == parts_->end() ? made.part->reference->name : part->name;
    if (part != parts_->end()) candidate.steps = part->steps;
    return candidate;
  }

  static Candidate Read(Candidate candidate, bool exact) {
    candidate.known.value = TypedText(TypeAt(*candidate.part, candidate.steps), candidate.value);
    candidate.known.exact = exact;
    return candidate;
  }

  std::optional<Candidate> Invert(const Made& made) {
    Candidate candidate = CandidateOf(made);
    candidate.value.bytes = made.bytes;
    bool defaulted = false;
    const Inverse inverse = InvertPart(*made.part, candidate.steps, &candidate.value, scratch_, &defaulted);
    if (inverse == Inverse::kNone) return std::nullopt;
    return Read(std::move(candidate), inverse == Inverse::kExact && !defaulted);
  }

  // One part holds the hour, another what is left of it.
  std::optional<Candidate> InvertTogether(const Made& made) {
    Candidate candidate = CandidateOf(made);
    const size_t number_at = FirstNumber(*made.part, candidate.steps);
    if (number_at == kNoStep) return std::nullopt;
    const std::optional<Numbers> numbers = NumbersOf(*made.part, number_at);
    if (!numbers) return std::nullopt;
    candidate.value.number = numbers->least;
    bool defaulted = false;
    const Inverse inverse = InvertSteps(*made.part, candidate.steps, number_at, &candidate.value, scratch_, &defaulted);
    if (inverse == Inverse::kNone) return std::nullopt;
    const bool only = numbers->least == numbers->most;
    return Read(std::move(candidate), only && inverse == Inverse::kExact && !defaulted);
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

// Facts that hold whichever column wrote the cell.
std::vector<KnownPart> InBoth(const std::vector<KnownPart>& a, const std::vector<KnownPart>& b) {
  std::vector<KnownPart> both;
  for (const KnownPart& one : a) {
    const auto same = [&](const KnownPart& other) { return other.name == one.name && other.value == one.value; };
    const auto other = std::find_if(b.begin(), b.end(), same);
    if (other != b.end()) both.push_back({one.name, one.value, one.exact && other->exact});
  }
  return both;
}

/// The source values of a cell's row key, for each column that may have written the cell.
std::vector<Decoder> DecodersOf(const IndexDefinition& definition, const Decoder& key, const Entry& cell,
                                CellParts read) {
  std::vector<Decoder> decoders;
  for (const ColumnRule& column : definition.columns) {
    Decoder decoder = key;
    if (column.family != cell.family || !decoder.Add(column.qualifier, cell.qualifier)) continue;
    if (read == CellParts::kKey || decoder.Add(column.value, cell.value)) decoders.push_back(std::move(decoder));
  }
  return decoders;
}

}  // namespace

std::vector<KnownPart> DecodeCell(const IndexDefinition& definition, const std::vector<KeyPart>& parts,
                                  const Entry& cell, CellParts read) {
  Scratch scratch;
  Decoder key(parts, &scratch);
  if (!key.Add(definition.row, cell.row)) return {};
  std::optional<std::vector<KnownPart>> known;
  for (Decoder& decoder : DecodersOf(definition, key, cell, read)) {
    std::optional<std::vector<KnownPart>> more = decoder.Known();
    if (more) known = known ? InBoth(*known, *more) : std::move(*more);
  }
  if (!known) known = key.Known();
  return known ? *std::move(known) : std::vector<KnownPart>();
}

std::optional<Numbers> DecodeNumber(const IndexDefinition& definition, const Part& part, size_t number_at,
                                    const Entry& cell) {
  Scratch scratch;
  const std::vector<KeyPart> whole;
  Decoder key(whole, &scratch);
  if (!key.Add(definition.row, cell.row)) return std::nullopt;
  std::optional<Numbers> known;
  for (Decoder& decoder : DecodersOf(definition, key, cell, CellParts::kAll)) {
    const std::optional<Numbers> numbers = decoder.NumbersOf(part, number_at);
    if (!numbers) return std::nullopt;
    if (!known) known = numbers;
    *known = {std::min(known->least, numbers->least), std::max(known->most, numbers->most), 0};
  }
  return known;
}

}  // namespace fensi::mapping
