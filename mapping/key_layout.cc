#include "mapping/key_layout.h"

#include <algorithm>

#include "base/bytes.h"
#include "mapping/definition/analysis.h"

namespace fensi::mapping {
namespace {

std::string LengthText(size_t least, size_t most) {
  if (most == Shape::kUnbounded) return CountedBytes(least) + " or more";
  if (least == most) return CountedBytes(least);
  return std::to_string(least) + " to " + std::to_string(most) + " bytes";
}

std::string KeptOrderText(const Shape& shape) {
  switch (shape.order) {
    case Direction::kUp:
      return ", in the order of its values";
    case Direction::kUpFromZero:
      return ", in the order of its values (negative ones last)";
    case Direction::kDown:
      return ", in the reverse order of its values";
    case Direction::kNone:
      break;
  }
  return ", order not kept";
}

std::string PartText(const Template& row, size_t i) {
  const Part& part = row.parts[i];
  std::string text = part.text + ": " + LengthText(part.shape.min_width, part.shape.max_width);
  if (part.IsLiteral()) return text;
  if (part.shape.terminated) text += ", ended by 00 00";
  if (!EndsItself(row, i) && i + 1 < row.parts.size()) text += ", without an end that a scan can see";
  text += KeptOrderText(part.shape);
  if (part.shape.hash_bits > 0) text += ", " + std::to_string(part.shape.hash_bits) + " bits of a hash";
  return text;
}

size_t Sum(size_t a, size_t b) { return a > Shape::kUnbounded - b ? Shape::kUnbounded : a + b; }

}  // namespace

std::vector<std::string> KeyLayout(const Index& index) {
  const IndexDefinition& definition = index.compiled();
  const Template& row = definition.row;
  std::vector<std::string> lines;
  size_t least = 0;
  size_t most = 0;
  for (size_t i = 0; i < row.parts.size(); ++i) {
    lines.push_back(PartText(row, i));
    least = Sum(least, row.parts[i].shape.min_width);
    most = Sum(most, row.parts[i].shape.max_width);
  }
  lines.push_back(
      "together: " + LengthText(std::max<size_t>(least, 1), most) +
      (most > 16 && least > 16 ? ", every million cells carry " + std::to_string(least) + " MB of keys" : ""));
  const int bits = KnownBits(definition, Origin::kRow);
  if (definition.shared) {
    lines.push_back("several source rows may write one cell, and the newest source row wins");
  } else if (bits != kExactly) {
    lines.push_back(bits > 0 ? std::to_string(bits) + " bits of a hash distinguish source rows"
                             : "the index is unique: a cell has one source row at a time. A cell may be lost if it "
                               "moves to another source row within the clock skew or a few milliseconds, or if several "
                               "source cells give it and events of the row arrive out of order");
  } else {
    lines.push_back("two source rows never write the same cell");
  }
  return lines;
}

}  // namespace fensi::mapping
