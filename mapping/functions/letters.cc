// Functions that change some of the bytes of a value.
#include <algorithm>

#include "base/text.h"
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

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
  if ((shape->bytes & BytesOf(kWhiteSpace)).none()) return;
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
  if (from.size() == 1) shape->bytes.reset(static_cast<unsigned char>(from[0]));
  shape->bytes |= BytesOf(to);
  if (to.size() < from.size()) shape->min_width = Replaced(shape->min_width, from.size(), to.size());
  if (to.size() > from.size()) shape->max_width = Replaced(shape->max_width, from.size(), to.size());
  if (to.size() > from.size() && shape->max_width > kMostValueBytes) shape->outgrows = true;
}

}  // namespace

std::vector<Function> LetterFunctions() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr Category kCategory = Category::kPieces;
  constexpr std::string_view kTypes = "bytes -> bytes";
  return {
      {"lower",
       kCategory,
       {},
       kIn,
       ChangeCase<'A', 'a'>,
       ChangeCaseShape<'A', 'a'>,
       kTypes,
       "ASCII letters in lower case",
       "",
       {"| lower", "AbC", "abc"},
       {.invert = BackCase<'a'>, .best = Always<Inverse::kGood>}},
      {"upper",
       kCategory,
       {},
       kIn,
       ChangeCase<'a', 'A'>,
       ChangeCaseShape<'a', 'A'>,
       kTypes,
       "ASCII letters in upper case",
       "",
       {"| upper", "AbC", "ABC"},
       {.invert = BackCase<'A'>, .best = Always<Inverse::kGood>}},
      {"trim",
       kCategory,
       {},
       kIn,
       Trim,
       TrimShape,
       kTypes,
       "without white space at both ends",
       "",
       {"| trim", " a b ", "a b"},
       {.invert = BackNear, .best = Always<Inverse::kGood>}},
      {"replace",
       kCategory,
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

}  // namespace fensi::mapping
