// What an index cell tells of the source: the templates read backwards.
#include <algorithm>

#include "mapping/compiled_index.h"
#include "mapping/definition/analysis.h"
#include "mapping/functions/inverse.h"

namespace fensi::mapping {
namespace {

using KnownPart = Index::KnownPart;

// Cuts the bytes that a template made into those of its parts, from both ends towards the one part that is open.
class Splitter {
 public:
  Splitter(const Template& program, std::string_view bytes)
      : program_(program), rest_(bytes), pieces_(program.parts.size()) {}

  /// False: these bytes were not made by the template. Pieces that cannot be told apart stay without a value.
  bool Split() {
    size_t front = 0;
    while (front < program_.parts.size() && EndsKnown(front)) {
      if (!TakeFront(front)) return false;
      ++front;
    }
    if (front == program_.parts.size()) return rest_.empty();
    size_t back = program_.parts.size();
    while (back > front + 1 && program_.parts[back - 1].shape.fixed()) {
      if (!TakeBack(--back)) return false;
    }
    if (back == front + 1) pieces_[front] = rest_;
    return true;
  }

  const std::vector<std::optional<std::string_view>>& pieces() const { return pieces_; }

 private:
  bool EndsKnown(size_t i) const { return EndsItself(program_, i) || i + 1 == program_.parts.size(); }

  bool Take(size_t i, size_t size) {
    if (size > rest_.size()) return false;
    pieces_[i] = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return Fits(i);
  }

  bool Fits(size_t i) const {
    const Part& part = program_.parts[i];
    return !part.IsLiteral() || *pieces_[i] == part.literal;
  }

  bool TakeFront(size_t i) {
    const Part& part = program_.parts[i];
    if (part.shape.fixed()) return Take(i, part.shape.min_width);
    if (part.shape.terminated) return Take(i, TerminatedSize());
    if (i + 1 == program_.parts.size()) return Take(i, rest_.size());
    return Take(i, std::min(rest_.find(program_.parts[i + 1].literal[0]), rest_.size()));
  }

  bool TakeBack(size_t i) {
    const size_t size = program_.parts[i].shape.min_width;
    if (size > rest_.size()) return false;
    pieces_[i] = rest_.substr(rest_.size() - size);
    rest_.remove_suffix(size);
    return Fits(i);
  }

  // Up to and with the end 00 00; a zero byte of the value is followed by 01.
  size_t TerminatedSize() const {
    for (size_t i = 0; i + 1 < rest_.size(); ++i) {
      if (rest_[i] != '\0') continue;
      if (rest_[i + 1] == '\0') return i + 2;
      ++i;
    }
    return std::string_view::npos;
  }

  const Template& program_;
  std::string_view rest_;
  std::vector<std::optional<std::string_view>> pieces_;
};

void Learn(KnownPart part, std::vector<KnownPart>* known) {
  for (KnownPart& other : *known) {
    if (other.name != part.name) continue;
    if (part.exact && !other.exact) other = std::move(part);
    return;
  }
  known->push_back(std::move(part));
}

// False: the bytes were not made by the template.
bool DecodeTemplate(const Template& program, std::string_view bytes, std::vector<KnownPart>* known) {
  Splitter splitter(program, bytes);
  if (!splitter.Split()) return false;
  Scratch scratch;
  for (size_t i = 0; i < program.parts.size(); ++i) {
    const Part& part = program.parts[i];
    if (part.IsLiteral() || !splitter.pieces()[i]) continue;
    Value value;
    value.bytes = *splitter.pieces()[i];
    const Inverse inverse = InvertPart(part, &value, &scratch);
    if (inverse == Inverse::kNone) continue;
    std::string text = part.reference->IsTime() ? std::to_string(value.number) : std::string(value.bytes);
    Learn({part.reference->name, std::move(text), inverse == Inverse::kExact}, known);
  }
  return true;
}

}  // namespace

std::vector<KnownPart> CompiledIndex::Decode(const Entry& cell) const {
  std::vector<KnownPart> known;
  if (!DecodeTemplate(definition_.row, cell.row, &known)) return {};
  for (const ColumnRule& column : definition_.columns) {
    std::vector<KnownPart> more = known;
    if (column.family != cell.family || !DecodeTemplate(column.qualifier, cell.qualifier, &more)) continue;
    DecodeTemplate(column.value, cell.value, &more);
    return more;
  }
  return known;
}

}  // namespace fensi::mapping
