#include <algorithm>

#include "mapping/definition/checks.h"

namespace fensi::mapping {
namespace {

using Outline = ColumnOutlines::Outline;

constexpr size_t kMostPositions = 64;

ByteSet ByteOf(const Part& part, size_t i) {
  return part.IsLiteral() ? BytesOf(part.literal.substr(i, 1)) : part.shape.bytes;
}

Outline OutlineOf(const Template& program, bool from_back) {
  Outline outline;
  bool open = false;
  const size_t count = program.parts.size();
  for (size_t p = 0; p < count; ++p) {
    const Part& part = program.parts[from_back ? count - 1 - p : p];
    const size_t width = part.shape.min_width;
    for (size_t i = 0; i < width && !open && outline.places.size() < kMostPositions; ++i) {
      outline.places.push_back(ByteOf(part, from_back ? width - 1 - i : i));
    }
    open = open || !part.shape.fixed();
    if (part.shape.max_width > 0) outline.bytes |= part.shape.bytes;
    outline.least = Shape::SumOfWidths(outline.least, part.shape.min_width);
    outline.most = Shape::SumOfWidths(outline.most, part.shape.max_width);
  }
  return outline;
}

bool DifferSomewhere(const Outline& a, const Outline& b) {
  for (size_t i = 0; i < std::min(a.places.size(), b.places.size()); ++i) {
    if ((a.places[i] & b.places[i]).none()) return true;
  }
  const auto foreign_to = [](const Outline& other) {
    return [&other](const ByteSet& place) { return (place & other.bytes).none(); };
  };
  return std::any_of(a.places.begin(), a.places.end(), foreign_to(b)) ||
         std::any_of(b.places.begin(), b.places.end(), foreign_to(a));
}

}  // namespace

ColumnOutlines::ColumnOutlines(const std::vector<ColumnRule>& columns) {
  for (const ColumnRule& column : columns) {
    all_.push_back({column.family, OutlineOf(column.qualifier, false), OutlineOf(column.qualifier, true)});
  }
}

bool ColumnOutlines::NeverMeet(size_t a, size_t b) const {
  const Column& x = all_[a];
  const Column& y = all_[b];
  if (x.family != y.family || x.front.most < y.front.least || y.front.most < x.front.least) return true;
  return DifferSomewhere(x.front, y.front) || DifferSomewhere(x.back, y.back);
}

}  // namespace fensi::mapping
