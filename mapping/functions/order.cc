// Functions that decide width and order of a part of a key.
#include <algorithm>
#include <cstring>

#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

size_t Size(const Argument& argument) { return static_cast<size_t>(argument.number); }

Outcome Pad(const Arguments& a, Value* v, Scratch* scratch) {
  const size_t width = Size(a[0]);
  if (v->bytes.size() >= width) return Outcome::kValue;
  char* out = scratch->Allocate(width);
  const size_t fill = width - v->bytes.size();
  std::memset(out, a[1].text[0], fill);
  if (!v->bytes.empty()) std::memcpy(out + fill, v->bytes.data(), v->bytes.size());
  v->bytes = {out, width};
  return Outcome::kValue;
}

void PadShape(const Arguments& a, Shape* shape) {
  const size_t width = Size(a[0]);
  if (shape->min_width >= width) return;
  const auto byte = static_cast<unsigned char>(a[1].text[0]);
  const Shape before = *shape;
  const bool number = before.digits.any && byte == '0' && !before.bytes['-'];
  if (!before.fixed()) shape->LoseOrder();
  shape->Change();
  if (number) shape->digits = before.digits;
  // Where all are filled up with as many bytes, or the filling can be told from them, nothing is lost.
  if (!before.fixed() && before.bytes[byte] && !number) shape->Merge(BitsOf(static_cast<double>(width) + 1));
  shape->SetWidth(width, std::max(before.max_width, width));
  shape->bytes.set(byte);
}

Outcome Fixed(const Arguments& a, Value* v, Scratch* scratch) {
  if (v->bytes.size() == Size(a[0])) return Outcome::kValue;
  return RefuseWidth(scratch, v->bytes, std::to_string(a[0].number));
}

void FixedShape(const Arguments& a, Shape* shape) {
  if (shape->min_width != Size(a[0]) || !shape->fixed()) shape->mappable = false;
  shape->min_width = shape->max_width = Size(a[0]);
}

Outcome Reverse(const Arguments&, Value* v, Scratch* scratch) {
  char* out = scratch->Allocate(v->bytes.size());
  std::reverse_copy(v->bytes.begin(), v->bytes.end(), out);
  v->bytes = {out, v->bytes.size()};
  return Outcome::kValue;
}

Outcome ReverseDomain(const Arguments&, Value* v, Scratch* scratch) {
  char* const begin = scratch->Allocate(v->bytes.size());
  char* out = begin;
  std::string_view rest = v->bytes;
  for (size_t dot = rest.rfind('.'); dot != std::string_view::npos; dot = rest.rfind('.')) {
    out = std::copy(rest.begin() + static_cast<std::ptrdiff_t>(dot) + 1, rest.end(), out);
    *out++ = '.';
    rest = rest.substr(0, dot);
  }
  std::copy(rest.begin(), rest.end(), out);
  v->bytes = {begin, v->bytes.size()};
  return Outcome::kValue;
}

void ReverseShape(const Arguments&, Shape* shape) {
  shape->LoseOrder();
  shape->Change();
}

void ReverseDomainShape(const Arguments& a, Shape* shape) {
  if (shape->bytes['.']) ReverseShape(a, shape);
}

// A zero byte becomes 00 01, the end 00 00: shorter values stay in front of longer ones, and no value is a prefix of
// another.
Outcome Terminated(const Arguments&, Value* v, Scratch* scratch) {
  const auto zeros = static_cast<size_t>(std::count(v->bytes.begin(), v->bytes.end(), '\0'));
  const size_t size = v->bytes.size() + zeros + 2;
  char* const begin = scratch->Allocate(size);
  char* out = begin;
  for (char c : v->bytes) {
    *out++ = c;
    if (c == '\0') *out++ = '\1';
  }
  *out++ = '\0';
  *out = '\0';
  v->bytes = {begin, size};
  return Outcome::kValue;
}

void TerminatedShape(const Arguments&, Shape* shape) {
  const size_t factor = shape->bytes[0] ? 2 : 1;
  shape->Change();
  shape->SetWidth(shape->min_width + 2,
                  shape->max_width == Shape::kUnbounded ? Shape::kUnbounded : shape->max_width * factor + 2);
  shape->terminated = true;
  if (shape->bytes[0]) shape->bytes.set(1);
  shape->bytes.set(0);
}

Outcome Without(const Arguments& a, Value* v, Scratch* scratch) {
  if (v->bytes.find(a[0].text[0]) == std::string_view::npos) return Outcome::kValue;
  return Refuse(scratch, Shown(v->bytes) + " contains " + Shown(a[0].text));
}

void WithoutShape(const Arguments& a, Shape* shape) {
  const auto byte = static_cast<unsigned char>(a[0].text[0]);
  if (shape->bytes[byte]) shape->mappable = false;
  shape->bytes.reset(byte);
}

// Turned round twice they are as they were.
Inverse BackReverseDomain(const Arguments& a, Value* v, Scratch* scratch) {
  return ReverseDomain(a, v, scratch) == Outcome::kValue ? Inverse::kExact : Inverse::kNone;
}

std::vector<Function> Widths() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr Category kCategory = Category::kOrder;
  constexpr std::string_view kTypes = "bytes -> bytes";
  return {
      {"pad",
       kCategory,
       {{"n", Kind::kCount}, {"byte", Kind::kByte}},
       kIn,
       Pad,
       PadShape,
       kTypes,
       "filled up on the left to n bytes; a longer value as it is (add `fixed n` to refuse it)",
       "",
       {"| pad 5 0", "42", "00042"},
       {.invert = BackPad, .best = Always<Inverse::kGood>, .role = Role::kFills}},
      {"fixed",
       kCategory,
       {{"n", Kind::kCount}},
       kIn,
       Fixed,
       FixedShape,
       kTypes,
       "a value of exactly n bytes",
       "unmappable when it has another width",
       {"| fixed 3", "abc", "abc"},
       {.invert = BackSame, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>, .role = Role::kChecks}},
  };
}

std::vector<Function> Turns() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr Category kCategory = Category::kOrder;
  constexpr std::string_view kTypes = "bytes -> bytes";
  return {
      {"reverse",
       kCategory,
       {},
       kIn,
       Reverse,
       ReverseShape,
       kTypes,
       "the bytes in reverse order; spreads growing keys, but range scans are then not possible",
       "",
       {"| reverse", "13712345678", "87654321731"},
       {.invert = BackReverse, .best = Always<Inverse::kExact>, .role = Role::kTurns}},
      {"reverse_domain",
       kCategory,
       {},
       kIn,
       ReverseDomain,
       ReverseDomainShape,
       kTypes,
       "the parts between dots in reverse order, so that the pages of one domain stand together",
       "",
       {"| reverse_domain", "products.example.com", "com.example.products"},
       {.invert = BackReverseDomain, .best = Always<Inverse::kExact>, .role = Role::kTurnsDomain}},
  };
}

std::vector<Function> Borders() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr Category kCategory = Category::kOrder;
  constexpr std::string_view kTypes = "bytes -> bytes";
  return {
      {"terminated",
       kCategory,
       {},
       kIn,
       Terminated,
       TerminatedShape,
       kTypes,
       "escaped and ended so that order is kept and another part may follow: a zero byte becomes `\\x00\\x01`, the end "
       "is `\\x00\\x00`",
       "",
       {"| terminated", "ab", "ab\\x00\\x00"},
       {.invert = BackTerminated, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>}},
      {"without",
       kCategory,
       {{"byte", Kind::kByte}},
       kIn,
       Without,
       WithoutShape,
       kTypes,
       "a value that does not contain the byte, so that the byte can separate parts",
       "unmappable when it contains the byte",
       {"| without -", "abc", "abc"},
       {.invert = BackSame, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>, .role = Role::kChecks}},
  };
}

}  // namespace

std::vector<Function> OrderFunctions() { return AllOf({Widths, Turns, Borders}); }

}  // namespace fensi::mapping
