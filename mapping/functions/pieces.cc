// Functions that take bytes apart.
#include <re2/re2.h>

#include <algorithm>
#include <cstring>

#include "mapping/functions/function.h"
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
  shape->terminated = shape->ordered_from_zero = false;
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
  shape->total = shape->terminated = false;
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

constexpr std::string_view kSpace = " \t\r\n\f\v";

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

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
  const bool total = shape->total;
  const bool may_be_absent = shape->may_be_absent;
  const bool always = a.size() == 1 || a[1].number == 0;  // the first piece is always there
  MaybeAbsent(shape);
  shape->total = total && always;
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

template <char kFrom, char kTo>
Outcome ChangeCase(const Arguments&, Value* v, Scratch* scratch) {
  char* out = scratch->Allocate(v->bytes.size());
  std::transform(v->bytes.begin(), v->bytes.end(), out,
                 [](char c) { return c >= kFrom && c < kFrom + 26 ? static_cast<char>(c - kFrom + kTo) : c; });
  v->bytes = {out, v->bytes.size()};
  return Outcome::kValue;
}

template <char kFrom, char kTo>
void ChangeCaseShape(const Arguments&, Shape* shape) {
  if ((shape->bytes & ByteRange(kFrom, kFrom + 25)).none()) return;
  ByteSet after;
  bool apart = true;
  bool ordered = true;
  for (int c = 0, last = -1; c < 256; ++c) {
    if (!shape->bytes[static_cast<size_t>(c)]) continue;
    const int to = c >= kFrom && c < kFrom + 26 ? c - kFrom + kTo : c;
    apart = apart && !after[static_cast<size_t>(to)];
    ordered = ordered && to > last;
    after.set(static_cast<size_t>(to));
    last = to;
  }
  if (!apart)
    shape->max_width == Shape::kUnbounded ? shape->MergeAny() : shape->Merge(static_cast<double>(shape->max_width));
  if (!ordered) shape->LoseOrder();
  shape->bytes = after;
}

Outcome Trim(const Arguments&, Value* v, Scratch*) {
  v->bytes = Trimmed(v->bytes);
  return Outcome::kValue;
}

void TrimShape(const Arguments&, Shape* shape) {
  if ((shape->bytes & BytesOf(kSpace)).none()) return;
  shape->MergeAny();
  shape->LoseOrder();
  shape->terminated = false;
  shape->min_width = 0;
}

Outcome Replace(const Arguments& a, Value* v, Scratch* scratch) {
  const std::string_view from = a[0].text;
  const std::string_view to = a[1].text;
  size_t count = 0;
  for (size_t at = v->bytes.find(from); at != std::string_view::npos; at = v->bytes.find(from, at + from.size()))
    ++count;
  if (count == 0) return Outcome::kValue;
  const size_t size = v->bytes.size() - count * from.size() + count * to.size();
  if (size > kMostValueBytes) return RefuseLength(scratch);
  char* const begin = scratch->Allocate(size);
  char* out = begin;
  std::string_view rest = v->bytes;
  const auto put = [&out](std::string_view piece) { out = std::copy(piece.begin(), piece.end(), out); };
  for (size_t at = rest.find(from); at != std::string_view::npos; at = rest.find(from)) {
    put(rest.substr(0, at));
    put(to);
    rest.remove_prefix(at + from.size());
  }
  put(rest);
  v->bytes = {begin, size};
  return Outcome::kValue;
}

// The width of a value that is `from` over and over.
size_t Replaced(size_t width, size_t from, size_t to) {
  if (width == Shape::kUnbounded || width > SIZE_MAX / std::max<size_t>(to, 1)) return Shape::kUnbounded;
  return width * to / from;
}

void ReplaceShape(const Arguments& a, Shape* shape) {
  const std::string& from = a[0].text;
  const std::string& to = a[1].text;
  if ((BytesOf(from) & ~shape->bytes).any() || from.size() > shape->max_width) return;
  shape->MergeAny();
  shape->LoseOrder();
  shape->terminated = false;
  KeepOut(from, shape);
  shape->bytes |= BytesOf(to);
  if (to.size() < from.size()) shape->min_width = Replaced(shape->min_width, from.size(), to.size());
  if (to.size() > from.size()) shape->max_width = Replaced(shape->max_width, from.size(), to.size());
  if (to.size() > from.size() && shape->max_width > kMostValueBytes) shape->total = false;
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

std::vector<Function> Cuts() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr std::string_view kGroup = "pieces";
  constexpr std::string_view kTypes = "bytes -> bytes";
  return {
      {"first",
       kGroup,
       {{"n", Kind::kCount}},
       kIn,
       First,
       [](const Arguments& a, Shape* shape) { EndShape(a, shape, true); },
       kTypes,
       "the first n bytes; a shorter value as it is",
       "",
       {"| first 3", "abcdef", "abc"}},
      {"last",
       kGroup,
       {{"n", Kind::kCount}},
       kIn,
       Last,
       [](const Arguments& a, Shape* shape) { EndShape(a, shape, false); },
       kTypes,
       "the last n bytes; a shorter value as it is",
       "",
       {"| last 3", "abcdef", "def"}},
      {"slice",
       kGroup,
       {{"from", Kind::kIndex}, {"to", Kind::kIndex, true}},
       kIn,
       Slice,
       SliceShape,
       kTypes,
       "the bytes from position `from` (counted from 0) up to but without `to`; without `to`: to the end",
       "",
       {"| slice 1 3", "abcdef", "bc"}},
  };
}

std::vector<Function> Separations() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr std::string_view kGroup = "pieces";
  constexpr std::string_view kTypes = "bytes -> bytes";
  const auto absent = [](const Arguments&, Shape* shape) { MaybeAbsent(shape); };
  return {
      {"split",
       kGroup,
       {{"separator", Kind::kText}, {"index", Kind::kIndex, true}},
       kIn,
       Split,
       SplitShape,
       "bytes -> bytes, without `index` bytes -> list",
       "the piece with that index (counted from 0) between separators; without `index` all pieces, for `each:`",
       "absent when there are fewer pieces",
       {"| split \",\" 1", "a,b,c", "b"}},
      {"before",
       kGroup,
       {{"separator", Kind::kText}},
       kIn,
       Before,
       BeforeShape,
       kTypes,
       "what stands in front of the first separator",
       "absent without a separator",
       {"| before #", "cpu#17", "cpu"}},
      {"after",
       kGroup,
       {{"separator", Kind::kText}},
       kIn,
       After,
       absent,
       kTypes,
       "what stands behind the first separator",
       "absent without a separator",
       {"| after #", "cpu#17", "17"}},
      {"match",
       kGroup,
       {{"regex", Kind::kRegex}, {"group", Kind::kGroup, true}},
       kIn,
       Match,
       absent,
       kTypes,
       "the first place that matches the regular expression (RE2), or a group of it; `.` and classes are characters of "
       "UTF-8 when the expression names one beyond ASCII (`/[关]/`, `/\\p{Han}/`), and bytes otherwise",
       "absent when nothing matches; unmappable when the instructions of the expression times the bytes of the value "
       "are above 100,000,000",
       {"| match /u(\\d+)/ 1", "id=u17;", "17"}},
  };
}

std::vector<Function> Changes() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr std::string_view kGroup = "pieces";
  constexpr std::string_view kTypes = "bytes -> bytes";
  return {
      {"lower",
       kGroup,
       {},
       kIn,
       ChangeCase<'A', 'a'>,
       ChangeCaseShape<'A', 'a'>,
       kTypes,
       "ASCII letters in lower case",
       "",
       {"| lower", "AbC", "abc"}},
      {"upper",
       kGroup,
       {},
       kIn,
       ChangeCase<'a', 'A'>,
       ChangeCaseShape<'a', 'A'>,
       kTypes,
       "ASCII letters in upper case",
       "",
       {"| upper", "AbC", "ABC"}},
      {"trim",
       kGroup,
       {},
       kIn,
       Trim,
       TrimShape,
       kTypes,
       "without white space at both ends",
       "",
       {"| trim", " a b ", "a b"}},
      {"replace",
       kGroup,
       {{"from", Kind::kText}, {"to", Kind::kAnyText}},
       kIn,
       Replace,
       ReplaceShape,
       kTypes,
       "every `from` replaced by `to`",
       "",
       {"| replace - \"\"", "2016-12-19", "20161219"}},
  };
}

}  // namespace

std::vector<Function> PieceFunctions() {
  std::vector<Function> all;
  for (auto group : {Cuts, Separations, Changes}) {
    for (Function& function : group()) all.push_back(std::move(function));
  }
  return all;
}

}  // namespace fensi::mapping
