#include <algorithm>
#include <set>

#include "mapping/definition/analysis.h"
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

namespace {

std::set<size_t> SlotsOf(const Template& program) {
  std::set<size_t> slots;
  for (const Part& part : program.parts) {
    ForEachReference(part, [&slots](const Reference& reference) {
      if (reference.IsColumn()) slots.insert(reference.slot);
    });
  }
  return slots;
}

/// Takes off the parts that both begin or end with, because one source gives the same bytes for both.
void DropCommonParts(Template* a, Template* b) {
  const auto same = [](const Part& x, const Part& y) { return x.text == y.text; };
  const auto front = std::mismatch(a->parts.begin(), a->parts.end(), b->parts.begin(), b->parts.end(), same);
  a->parts.erase(a->parts.begin(), front.first);
  b->parts.erase(b->parts.begin(), front.second);
  const auto back = std::mismatch(a->parts.rbegin(), a->parts.rend(), b->parts.rbegin(), b->parts.rend(), same);
  a->parts.erase(back.first.base(), a->parts.end());
  b->parts.erase(back.second.base(), b->parts.end());
}

/// Compares the columns of an index whose entries expire by themselves. Of two equal cells the later column wins.
class EndsOfColumns {
 public:
  explicit EndsOfColumns(const IndexDefinition& definition)
      : columns_(definition.columns),
        outlines_(columns_),
        fanout_(definition.each.fanout),
        one_source_(fanout_ == Fanout::kList ? KnownBits(definition, Origin::kItem) >= kEnoughBits
                                             : !BoundColumnsMeet(definition)) {
    for (const ColumnRule& column : columns_) slots_.push_back(SlotsOf(column.value));
  }

  /// True if column a can give a cell longer than the later column b does, with another value.
  bool Outlives(size_t a, size_t b) const { return CanEndLater(a, b) && CanMeet(a, b); }

 private:
  bool CanEndLater(size_t a, size_t b) const {
    if (one_source_) return !std::includes(slots_[a].begin(), slots_[a].end(), slots_[b].begin(), slots_[b].end());
    // Either of two items may win, and either of two bound columns may end first.
    if (fanout_ == Fanout::kList) return slots_[a] != slots_[b];
    return columns_[a].value.text != columns_[b].value.text;
  }

  bool CanMeet(size_t a, size_t b) const {
    ColumnRule x = columns_[a];
    ColumnRule y = columns_[b];
    const bool constant = x.qualifier.IsConstant() && y.qualifier.IsConstant();
    if (constant || outlines_.NeverMeet(a, b)) return false;
    if (!one_source_) return true;
    DropCommonParts(&x.qualifier, &y.qualifier);
    return !ColumnOutlines({x, y}).NeverMeet(0, 1);
  }

  const std::vector<ColumnRule>& columns_;
  const ColumnOutlines outlines_;
  const Fanout fanout_;
  const bool one_source_;  // one item or bound column gives both, if two columns give one cell
  std::vector<std::set<size_t>> slots_;
};

}  // namespace

std::string QuotedColumn(const ColumnRule& column) { return "'" + column.family + ":" + column.qualifier.text + "'"; }

std::pair<std::string, std::string> ObstacleOfExactEnds(const IndexDefinition& definition) {
  const std::vector<ColumnRule>& columns = definition.columns;
  const auto is_constant = [](const ColumnRule& column) { return column.qualifier.IsConstant(); };
  if (std::all_of(columns.begin(), columns.end(), is_constant)) return {};
  if (columns.size() > kMostComparedColumns) {
    return {"the index has more than 1000 columns, and not all their qualifiers are plain text",
            "divide the columns between several indexes"};
  }
  const EndsOfColumns ends(definition);
  for (size_t i = 0; i < columns.size(); ++i) {
    for (size_t k = i + 1; k < columns.size(); ++k) {
      if (!ends.Outlives(i, k)) continue;
      return {"the columns " + QuotedColumn(columns[i]) + " and " + QuotedColumn(columns[k]) +
                  " can be one cell. If the visible entry ends first, the other entry would have to replace it, and "
                  "HBase does not report this end",
              "let their qualifiers begin or end with different bytes, like 'f1:a{f1:from}' and 'f1:b{f1:to}', or put "
              "them into different families"};
    }
  }
  return {};
}

}  // namespace fensi::mapping
