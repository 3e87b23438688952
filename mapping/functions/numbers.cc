// Functions between bytes and integers, and on integers.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

constexpr char kHexDigits[] = "0123456789abcdef";

Outcome Int(const Arguments&, Value* v, Scratch* scratch) {
  std::string_view text = v->bytes;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, v->number);
  if (error == std::errc() && at == end && !text.empty()) return Outcome::kValue;
  const char* what = error == std::errc::result_out_of_range ? " does not fit 64 bits" : " is not a whole number";
  return Refuse(scratch, Shown(v->bytes) + what);
}

int64_t PowerOfTen(size_t exponent) {
  int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

// "7", "07" and "+7" are one number, but not where the digits were made of a number.
void IntShape(const Arguments&, Shape* shape) {
  constexpr size_t kMostDigits = 18;  // that fit whatever they are
  const Shape before = *shape;
  shape->BecomeNumber(Type::kInteger);
  if (!before.digits.any) shape->MergeAny();
  shape->order = before.piece ? Direction::kUp : before.digits.order;
  shape->keeps_sign = before.piece || before.digits.keeps_sign;
  if (!before.bytes['-']) shape->least = 0;
  if (before.max_width > kMostDigits) return;
  shape->most = PowerOfTen(before.max_width) - 1;
  shape->least = std::max(shape->least, -shape->most);
}

// Big-endian, kBytes wide, as Bytes.toBytes(long), (int), (short) and a byte write.
template <size_t kBytes, bool kSigned>
Outcome FromBytes(const Arguments&, Value* v, Scratch* scratch) {
  return ReadFixed(v->bytes, kBytes, kSigned, v, scratch);
}

template <size_t kBytes, bool kSigned>
void FromBytesShape(const Arguments&, Shape* shape) {
  const Shape before = *shape;
  shape->BecomeNumber(Type::kInteger);
  shape->mappable = before.mappable && before.fixed() && before.min_width == kBytes && (kSigned || kBytes < 8);
  constexpr int64_t kHalf = kBytes == 8 ? INT64_MAX : (int64_t{1} << (8 * kBytes - 1)) - 1;
  shape->least = kSigned ? -kHalf - 1 : 0;
  shape->most = kSigned || kBytes == 8 ? kHalf : 2 * kHalf + 1;
  // Eight bytes with negative numbers last are what a number was written as: nothing keeps that and changes them.
  const bool written = kBytes == 8 && before.order == Direction::kUpFromZero;
  shape->keeps_sign = before.piece || (kSigned && written);
  if (shape->keeps_sign) {
    shape->order = Direction::kUp;
  } else if (!kSigned && before.order != Direction::kUpFromZero) {
    shape->order = before.order;
  }
}

bool FitsUnsigned(int64_t number, int64_t bytes) { return number >= 0 && (bytes == 8 || number >> (8 * bytes) == 0); }

Outcome ToBe(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t bytes = a[0].number;
  if (bytes < 8 && !FitsUnsigned(v->number, bytes)) {
    return RefuseNumber(scratch, v->number, "does not fit " + CountedBytes(bytes) + " without sign");
  }
  v->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(v->number), static_cast<size_t>(bytes));
  return Outcome::kValue;
}

Outcome Ordered(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t bytes = a.empty() ? 8 : a[0].number;
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  const uint64_t bits = static_cast<uint64_t>(v->number) + sign;
  if (bytes < 8 && bits >> (8 * bytes) != 0) {
    return RefuseNumber(scratch, v->number, "does not fit " + CountedBytes(bytes));
  }
  v->bytes = scratch->KeepBigEndian(bits, static_cast<size_t>(bytes));
  return Outcome::kValue;
}

// Numbers from `least` to `most` become bytes of this width; others are refused.
void ToFixedBytes(Shape* shape, size_t width, int64_t least, int64_t most) {
  if (shape->least < least || shape->most > most) shape->mappable = false;
  shape->least = std::max(shape->least, least);
  shape->most = std::min(shape->most, most);
  shape->BecomeBytes();
  shape->SetWidth(width, width);
  if (width > 1) return;
  shape->bytes.reset();
  for (int64_t n = shape->least; n <= shape->most; ++n) shape->bytes.set(static_cast<size_t>(n - least));
}

void ToBeShape(const Arguments& a, Shape* shape) {
  const auto width = static_cast<size_t>(a[0].number);
  if (width < 8) return ToFixedBytes(shape, width, 0, (int64_t{1} << (8 * width)) - 1);
  shape->WriteSign();
  ToFixedBytes(shape, width, INT64_MIN, INT64_MAX);
}

// Eight bytes have a sign.
Direction ToBeOrder(const Arguments& a) { return a[0].number < 8 ? Direction::kUp : Direction::kUpFromZero; }

void OrderedShape(const Arguments& a, Shape* shape) {
  const size_t width = a.empty() ? 8 : static_cast<size_t>(a[0].number);
  const int64_t most = width == 8 ? INT64_MAX : (int64_t{1} << (8 * width - 1)) - 1;
  ToFixedBytes(shape, width, -most - 1, most);
}

Outcome Decimal(const Arguments& a, Value* v, Scratch* scratch) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, v->number).ptr;
  const auto size = static_cast<size_t>(end - digits);
  const size_t width = a.empty() ? size : static_cast<size_t>(a[0].number);
  if (size > width) {
    return RefuseNumber(scratch, v->number, "has more than " + std::to_string(width) + " digits");
  }
  if (!a.empty() && v->number < 0) return RefuseNumber(scratch, v->number, "is negative: padded digits have no sign");
  char* out = scratch->Allocate(width);
  std::memset(out, '0', width - size);
  std::memcpy(out + width - size, digits, size);
  v->bytes = {out, width};
  return Outcome::kValue;
}

size_t Digits(int64_t number) { return std::to_string(number).size(); }

void DecimalShape(const Arguments& a, Shape* shape) {
  const bool has_sign = a.empty() && shape->least < 0;
  const Shape::Digits digits{true, shape->order, shape->keeps_sign};
  const bool one_digit = shape->least <= 9 && shape->most >= 0;
  const size_t least = one_digit ? 1 : std::min(Digits(shape->least), Digits(shape->most));
  const size_t most = std::max(Digits(shape->least), Digits(shape->most));
  const size_t width = a.empty() ? 0 : static_cast<size_t>(a[0].number);
  if (!a.empty() && (shape->least < 0 || most > width)) shape->mappable = false;
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->digits = digits;
  shape->bytes = ByteRange('0', '9');
  if (has_sign) shape->bytes.set('-');
  a.empty() ? shape->SetWidth(least, most) : shape->SetWidth(width, width);
}

Outcome Hex(const Arguments&, Value* v, Scratch* scratch) {
  char* out = scratch->Allocate(v->bytes.size() * 2);
  char* at = out;
  for (unsigned char c : v->bytes) {
    *at++ = kHexDigits[c >> 4];
    *at++ = kHexDigits[c & 15];
  }
  v->bytes = {out, v->bytes.size() * 2};
  return Outcome::kValue;
}

void HexShape(const Arguments&, Shape* shape) {
  shape->Change();
  shape->SetWidth(2 * shape->min_width,
                  shape->max_width == Shape::kUnbounded ? Shape::kUnbounded : 2 * shape->max_width);
  shape->bytes = BytesOf(kHexDigits);
}

constexpr Category kCategory = Category::kNumbers;

template <size_t kBytes, bool kSigned>
Function Reader(std::string_view name, std::string_view summary, Example example) {
  return {name,
          kCategory,
          {},
          Takes(Type::kBytes),
          FromBytes<kBytes, kSigned>,
          FromBytesShape<kBytes, kSigned>,
          "bytes -> integer",
          summary,
          kBytes == 8 && !kSigned ? "unmappable at another width, or above the largest signed 64-bit number"
                                  : "unmappable at another width",
          example,
          {.invert = BackBytes<kBytes>, .best = Always<Inverse::kExact>, .role = Role::kReadsBytes}};
}

std::vector<Function> Readers() {
  return {
      Reader<8, true>("i64", "8 bytes, big-endian, with sign, as HBase's Bytes.toBytes(long) writes",
                      {"| i64 | decimal", "\\x00\\x00\\x00\\x00\\x00\\x00\\x01\\x00", "256"}),
      Reader<4, true>("i32", "4 bytes, big-endian, with sign", {"| i32 | decimal", "\\xFF\\xFF\\xFF\\xFE", "-2"}),
      Reader<2, true>("i16", "2 bytes, big-endian, with sign", {"| i16 | decimal", "\\xFF\\xFE", "-2"}),
      Reader<1, true>("i8", "one byte, with sign", {"| i8 | decimal", "\\xFE", "-2"}),
      Reader<8, false>("u64", "8 bytes, big-endian, without sign",
                       {"| u64 | decimal", "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x07", "7"}),
      Reader<4, false>("u32", "4 bytes, big-endian, without sign",
                       {"| u32 | decimal", "\\xFF\\xFF\\xFF\\xFE", "4294967294"}),
      Reader<2, false>("u16", "2 bytes, big-endian, without sign", {"| u16 | decimal", "\\xFF\\xFE", "65534"}),
      Reader<1, false>("u8", "one byte, without sign", {"| u8 | decimal", "\\xFE", "254"}),
  };
}

std::vector<Function> Writers() {
  constexpr unsigned kBoth = Takes(Type::kInteger, Type::kTime);
  constexpr std::string_view kTypes = "integer or time -> bytes";
  return {
      {"to_be",
       kCategory,
       {{"n", Kind::kWidth}},
       kBoth,
       ToBe,
       ToBeShape,
       kTypes,
       "n bytes, big-endian: without sign below 8 bytes, as Bytes.toBytes(long) with 8",
       "unmappable when the number does not fit",
       {"| int | to_be 3", "258", "\\x00\\x01\\x02"},
       {.invert = BackToBe, .best = Always<Inverse::kExact>, .order = ToBeOrder}},
      {"ordered",
       kCategory,
       {{"n", Kind::kWidth, true}},
       kBoth,
       Ordered,
       OrderedShape,
       kTypes,
       "n bytes (default 8), big-endian with the sign flipped, so that negative numbers sort first",
       "unmappable when the number does not fit",
       {"| int | ordered 2", "-1", "\\x7F\\xFF"},
       {.invert = BackOrdered, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>}},
      {"decimal",
       kCategory,
       {{"n", Kind::kCount, true}},
       kBoth,
       Decimal,
       DecimalShape,
       kTypes,
       "decimal digits, with n filled up with zeros to n digits; a time as milliseconds",
       "with n unmappable when it has more digits or is negative",
       {"| int | decimal 5", "42", "00042"},
       {.invert = BackDecimal, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>, .role = Role::kDigits}},
      {"hex",
       kCategory,
       {},
       Takes(Type::kBytes),
       Hex,
       HexShape,
       "bytes -> bytes",
       "two lower-case hex digits a byte",
       "",
       {"| hex", "\\x01\\xFFa", "01ff61"},
       {.invert = BackHex, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>}},
  };
}

}  // namespace

std::vector<Function> NumberFunctions() {
  std::vector<Function> all = {
      {"int",
       kCategory,
       {},
       Takes(Type::kBytes),
       Int,
       IntShape,
       "bytes -> integer",
       "a whole number written in digits",
       "unmappable when it is not one, or does not fit 64 bits",
       {"| int | decimal", "+007", "7"},
       {.invert = BackInt, .best = Always<Inverse::kGood>}},
  };
  for (auto group : {Readers, Writers}) {
    for (Function& function : group()) all.push_back(std::move(function));
  }
  return all;
}

}  // namespace fensi::mapping
