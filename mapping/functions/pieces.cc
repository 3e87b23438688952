// Functions that take bytes apart.
#include <re2/re2.h>

#include <algorithm>
#include <cstring>

#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/regex.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

size_t Size(const Argument& argument) { return static_cast<size_t>(argument.number); }

// A prefix keeps the order, weakly; what is cut off takes its bits of a hash with it.
void Cut(Shape* shape, size_t least, size_t most, bool keeps_order) {
  const double one_more = shape->fixed() ? 0 : 1;  // values of another width
  const auto cut = static_cast<double>(shape->max_width - most);
  const double bits = BitsOf(std::max<double>(static_cast<double>(shape->bytes.count()), 2));
  shape->max_width == Shape::kUnbounded ? shape->MergeAny() : shape->Merge(cut * bits + one_more);
  shape->SetWidth(least, most);
  shape->terminated = false;
  if (shape->order == Direction::kUpFromZero) shape->order = Direction::kNone;
  shape->digits = {};
  if (!keeps_order) shape->LoseOrder();
}

void EndShape(const Arguments& a, Shape* shape, bool keeps_order) {
  const size_t most = Size(a[0]);
  if (most >= shape->max_width) return;
  Cut(shape, std::min(shape->min_width, most), std::min(shape->max_width, most), keeps_order);
}

void MaybeAbsent(Shape* shape) {
  shape->min_width = 0;
  shape->MergeAny();
  shape->LoseOrder();
  shape->terminated = false;
  shape->may_be_absent = true;
}

// A separator of one byte stays outside.
void KeepOut(const std::string& separator, Shape* shape) {
  if (separator.size() == 1) shape->bytes.reset(static_cast<unsigned char>(separator[0]));
}

Outcome First(const Arguments& a, Value* v, Scratch*) {
  v->bytes = v->bytes.substr(0, Size(a[0]));
  return Outcome::kValue;
}

Outcome Last(const Arguments& a, Value* v, Scratch*) {
  const size_t n = std::min(Size(a[0]), v->bytes.size());
  v->bytes = v->bytes.substr(v->bytes.size() - n);
  return Outcome::kValue;
}

Outcome Slice(const Arguments& a, Value* v, Scratch*) {
  const size_t to = a.size() > 1 ? std::min(Size(a[1]), v->bytes.size()) : v->bytes.size();
  const size_t from = std::min(Size(a[0]), to);
  v->bytes = v->bytes.substr(from, to - from);
  return Outcome::kValue;
}

void SliceShape(const Arguments& a, Shape* shape) {
  const size_t from = Size(a[0]);
  const size_t most = a.size() > 1 ? std::max(Size(a[1]), from) - from : Shape::kUnbounded;
  const auto behind = [&](size_t width) {
    if (width == Shape::kUnbounded) return most;
    return std::min(most, width > from ? width - from : 0);
  };
  if (from == 0 && most >= shape->max_width) return;
  Cut(shape, behind(shape->min_width), behind(shape->max_width), from == 0);
}

// From the front it is a beginning.
Direction SliceOrder(const Arguments& a) { return a[0].number == 0 ? Direction::kUp : Direction::kNone; }

Inverse BestOfSlice(const Arguments& a) { return a.size() < 2 || a[0].number != 0 ? Inverse::kNone : Inverse::kGood; }

Outcome SplitList(std::string_view separator, Value* v, Scratch* scratch) {
  std::vector<std::string_view>* list = scratch->NewList();
  std::string_view rest = v->bytes;
  for (size_t at = rest.find(separator); at != std::string_view::npos; at = rest.find(separator)) {
    list->push_back(rest.substr(0, at));
    rest.remove_prefix(at + separator.size());
  }
  list->push_back(rest);
  v->list = list;
  return Outcome::kValue;
}

Outcome Split(const Arguments& a, Value* v, Scratch* scratch) {
  const std::string& separator = a[0].text;
  if (a.size() == 1) return SplitList(separator, v, scratch);
  std::string_view rest = v->bytes;
  for (int64_t i = 0; i < a[1].number; ++i) {
    const size_t at = rest.find(separator);
    if (at == std::string_view::npos) return Outcome::kAbsent;
    rest.remove_prefix(at + separator.size());
  }
  v->bytes = rest.substr(0, rest.find(separator));
  return Outcome::kValue;
}

void SplitShape(const Arguments& a, Shape* shape) {
  const bool may_be_absent = shape->may_be_absent;
  const bool always = a.size() == 1 || a[1].number == 0;  // the first piece is always there
  MaybeAbsent(shape);
  if (always) shape->may_be_absent = may_be_absent;
  KeepOut(a[0].text, shape);
  if (a.size() == 1) shape->type = Type::kList;
}

Outcome Before(const Arguments& a, Value* v, Scratch*) {
  const size_t at = v->bytes.find(a[0].text);
  if (at == std::string_view::npos) return Outcome::kAbsent;
  v->bytes = v->bytes.substr(0, at);
  return Outcome::kValue;
}

void BeforeShape(const Arguments& a, Shape* shape) {
  MaybeAbsent(shape);
  KeepOut(a[0].text, shape);
}

Outcome After(const Arguments& a, Value* v, Scratch*) {
  const size_t at = v->bytes.find(a[0].text);
  if (at == std::string_view::npos) return Outcome::kAbsent;
  v->bytes.remove_prefix(at + a[0].text.size());
  return Outcome::kValue;
}

Outcome Match(const Arguments& a, Value* v, Scratch* scratch) {
  if (!RegexAffords(*a[0].regex, v->bytes.size(), scratch)) return Outcome::kUnmappable;
  constexpr int kMostGroups = 10;
  re2::StringPiece groups[kMostGroups];
  const auto group = static_cast<int>(a.size() > 1 ? a[1].number : 0);
  const re2::StringPiece text(v->bytes.data(), v->bytes.size());
  if (!a[0].regex->Match(text, 0, text.size(), re2::RE2::UNANCHORED, groups, group + 1)) return Outcome::kAbsent;
  if (groups[group].data() == nullptr) return Outcome::kAbsent;
  v->bytes = {groups[group].data(), groups[group].size()};
  return Outcome::kValue;
}

// A value may be too long for the expression.
void MatchShape(const Arguments&, Shape* shape) {
  MaybeAbsent(shape);
  shape->mappable = false;
}

std::vector<Function> Cuts() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr Category kCategory = Category::kPieces;
  constexpr std::string_view kTypes = "bytes -> bytes";
  return {
      {"first",
       kCategory,
       {{"n", Kind::kCount}},
       kIn,
       First,
       [](const Arguments& a, Shape* shape) { EndShape(a, shape, true); },
       kTypes,
       "the first n bytes; a shorter value as it is",
       "",
       {"| first 3", "abcdef", "abc"},
       {.invert = BackCut, .best = Always<Inverse::kGood>, .order = Lying<Direction::kUp>}},
      {"last",
       kCategory,
       {{"n", Kind::kCount}},
       kIn,
       Last,
       [](const Arguments& a, Shape* shape) { EndShape(a, shape, false); },
       kTypes,
       "the last n bytes; a shorter value as it is",
       "",
       {"| last 3", "abcdef", "def"}},
      {"slice",
       kCategory,
       {{"from", Kind::kIndex}, {"to", Kind::kIndex, true}},
       kIn,
       Slice,
       SliceShape,
       kTypes,
       "the bytes from position `from` (counted from 0) up to but without `to`; without `to`: to the end",
       "",
       {"| slice 1 3", "abcdef", "bc"},
       {.invert = BackSlice, .best = BestOfSlice, .order = SliceOrder}},
  };
}

std::vector<Function> Separations() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr Category kCategory = Category::kPieces;
  constexpr std::string_view kTypes = "bytes -> bytes";
  const auto absent = [](const Arguments&, Shape* shape) { MaybeAbsent(shape); };
  return {
      {"split",
       kCategory,
       {{"separator", Kind::kText}, {"index", Kind::kIndex, true}},
       kIn,
       Split,
       SplitShape,
       "bytes -> bytes, without `index` bytes -> list",
       "the piece with that index (counted from 0) between separators; without `index` all pieces, for `each:`",
       "absent when there are fewer pieces",
       {"| split \",\" 1", "a,b,c", "b"},
       {.role = Role::kPiece}},
      {"before",
       kCategory,
       {{"separator", Kind::kText}},
       kIn,
       Before,
       BeforeShape,
       kTypes,
       "the text before the first separator",
       "absent without a separator",
       {"| before #", "cpu#17", "cpu"},
       {.role = Role::kPiece}},
      {"after",
       kCategory,
       {{"separator", Kind::kText}},
       kIn,
       After,
       absent,
       kTypes,
       "the text after the first separator",
       "absent without a separator",
       {"| after #", "cpu#17", "17"},
       {.role = Role::kPiece}},
      {"match",
       kCategory,
       {{"regex", Kind::kRegex}, {"group", Kind::kGroup, true}},
       kIn,
       Match,
       MatchShape,
       kTypes,
       "the first place that matches the regular expression (RE2), or a group of it; `.` and classes match characters "
       "of UTF-8 when the expression names a character beyond ASCII (`/[关]/`, `/\\p{Han}/`), and bytes otherwise",
       "absent when nothing matches; unmappable when the instructions of the expression times the bytes of the value "
       "are above 100,000,000",
       {"| match /u(\\d+)/ 1", "id=u17;", "17"},
       {.role = Role::kPiece},
       2},
  };
}

}  // namespace

std::vector<Function> PieceFunctions() { return AllOf({Cuts, Separations}); }

}  // namespace fensi::mapping
