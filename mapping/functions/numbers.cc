// Functions between bytes and integers, and on integers.
#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/bytes.h"
#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

constexpr char kHexDigits[] = "0123456789abcdef";

Outcome OutOfRange(Scratch* scratch, int64_t number, const std::string& what) {
  return Refuse(scratch, std::to_string(number) + " " + what);
}

Outcome Int(const Arguments&, Value* v, Scratch* scratch) {
  std::string_view text = v->bytes;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, v->number);
  if (error == std::errc() && at == end && !text.empty()) return Outcome::kValue;
  const char* what = error == std::errc::result_out_of_range ? " does not fit 64 bits" : " is not a whole number";
  return Refuse(scratch, Shown(v->bytes) + what);
}

void ToInteger(Shape* shape) {
  shape->type = Type::kInteger;
  shape->min_width = shape->max_width = 8;
  shape->total = shape->terminated = shape->non_negative = false;
  shape->without.clear();
}

void IntShape(const Arguments&, Shape* shape) {
  ToInteger(shape);
  shape->injective = false;  // "7", "07" and "+7"
  shape->ordered = true;
  shape->hash_bits = 0;
}

// Big-endian, kBytes wide, as Bytes.toBytes(long), (int), (short) and a byte write.
template <size_t kBytes, bool kSigned>
Outcome FromBytes(const Arguments&, Value* v, Scratch* scratch) {
  if (v->bytes.size() != kBytes) {
    return Refuse(
        scratch, Shown(v->bytes) + " has " + std::to_string(v->bytes.size()) + " bytes, not " + std::to_string(kBytes));
  }
  const uint64_t bits = ReadBigEndian(v->bytes);
  constexpr unsigned kShift = 64 - 8 * kBytes;
  v->number = kSigned ? static_cast<int64_t>(bits << kShift) >> kShift : static_cast<int64_t>(bits);
  if (!kSigned && v->number < 0) return Refuse(scratch, Shown(v->bytes) + " is above the largest 64-bit integer");
  return Outcome::kValue;
}

template <size_t kBytes, bool kSigned>
void FromBytesShape(const Arguments&, Shape* shape) {
  const bool total = shape->total && shape->fixed() && shape->min_width == kBytes && (kSigned || kBytes < 8);
  ToInteger(shape);
  shape->total = total;
  shape->non_negative = !kSigned;
  shape->ordered = shape->ordered && !kSigned;
}

bool FitsUnsigned(int64_t number, int64_t bytes) { return number >= 0 && (bytes == 8 || number >> (8 * bytes) == 0); }

Outcome ToBe(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t bytes = a[0].number;
  if (bytes < 8 && !FitsUnsigned(v->number, bytes)) {
    return OutOfRange(scratch, v->number, "does not fit " + std::to_string(bytes) + " bytes without sign");
  }
  v->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(v->number), static_cast<size_t>(bytes));
  return Outcome::kValue;
}

Outcome Ordered(const Arguments& a, Value* v, Scratch* scratch) {
  const int64_t bytes = a.empty() ? 8 : a[0].number;
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  const uint64_t bits = static_cast<uint64_t>(v->number) + sign;
  if (bytes < 8 && bits >> (8 * bytes) != 0) {
    return OutOfRange(scratch, v->number, "does not fit " + std::to_string(bytes) + " bytes");
  }
  v->bytes = scratch->KeepBigEndian(bits, static_cast<size_t>(bytes));
  return Outcome::kValue;
}

void ToFixedBytes(Shape* shape, size_t bytes) {
  if (bytes < 8) shape->total = false;
  shape->type = Type::kBytes;
  shape->min_width = shape->max_width = bytes;
}

void ToBeShape(const Arguments& a, Shape* shape) {
  ToFixedBytes(shape, static_cast<size_t>(a[0].number));
  if (a[0].number < 8 || shape->non_negative) return;
  shape->ordered_from_zero = shape->ordered;
  shape->ordered = false;
}

void OrderedShape(const Arguments& a, Shape* shape) {
  ToFixedBytes(shape, a.empty() ? 8 : static_cast<size_t>(a[0].number));
}

Outcome Decimal(const Arguments& a, Value* v, Scratch* scratch) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, v->number).ptr;
  const auto size = static_cast<size_t>(end - digits);
  const size_t width = a.empty() ? size : static_cast<size_t>(a[0].number);
  if (size > width) {
    return OutOfRange(scratch, v->number, "has more than " + std::to_string(width) + " digits");
  }
  if (!a.empty() && v->number < 0) return OutOfRange(scratch, v->number, "is negative: padded digits have no sign");
  char* out = scratch->Allocate(width);
  std::memset(out, '0', width - size);
  std::memcpy(out + width - size, digits, size);
  v->bytes = {out, width};
  return Outcome::kValue;
}

void DecimalShape(const Arguments& a, Shape* shape) {
  shape->type = Type::kBytes;
  shape->alphabet = Shape::Alphabet::kDigits;
  shape->ordered = shape->ordered && !a.empty();
  if (a.empty()) {
    shape->min_width = 1;
    shape->max_width = 20;
  } else {
    shape->total = false;
    shape->min_width = shape->max_width = static_cast<size_t>(a[0].number);
  }
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
  shape->min_width *= 2;
  if (shape->max_width != Shape::kUnbounded) shape->max_width *= 2;
  shape->alphabet = Shape::Alphabet::kHex;
  shape->terminated = false;
  shape->without.clear();
}

constexpr std::string_view kGroup = "numbers";

template <size_t kBytes, bool kSigned>
Function Reader(std::string_view name, std::string_view summary, Example example) {
  return {name,
          kGroup,
          {},
          Takes(Type::kBytes),
          FromBytes<kBytes, kSigned>,
          FromBytesShape<kBytes, kSigned>,
          "bytes -> integer",
          summary,
          kBytes == 8 && !kSigned ? "unmappable at another width, or above the largest signed 64-bit number"
                                  : "unmappable at another width",
          example};
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
       kGroup,
       {{"n", Kind::kWidth}},
       kBoth,
       ToBe,
       ToBeShape,
       kTypes,
       "n bytes, big-endian: without sign below 8 bytes, as Bytes.toBytes(long) with 8",
       "unmappable when the number does not fit",
       {"| int | to_be 3", "258", "\\x00\\x01\\x02"}},
      {"ordered",
       kGroup,
       {{"n", Kind::kWidth, true}},
       kBoth,
       Ordered,
       OrderedShape,
       kTypes,
       "n bytes (default 8), big-endian with the sign flipped, so that negative numbers sort first",
       "unmappable when the number does not fit",
       {"| int | ordered 2", "-1", "\\x7F\\xFF"}},
      {"decimal",
       kGroup,
       {{"n", Kind::kCount, true}},
       kBoth,
       Decimal,
       DecimalShape,
       kTypes,
       "decimal digits, with n filled up with zeros to n digits; a time as milliseconds",
       "with n unmappable when it has more digits or is negative",
       {"| int | decimal 5", "42", "00042"}},
      {"hex",
       kGroup,
       {},
       Takes(Type::kBytes),
       Hex,
       HexShape,
       "bytes -> bytes",
       "two lower-case hex digits a byte",
       "",
       {"| hex", "\\x01\\xFFa", "01ff61"}},
  };
}

}  // namespace

std::vector<Function> NumberFunctions() {
  std::vector<Function> all = {
      {"int",
       kGroup,
       {},
       Takes(Type::kBytes),
       Int,
       IntShape,
       "bytes -> integer",
       "a whole number written in digits",
       "unmappable when it is not one, or does not fit 64 bits",
       {"| int | decimal", "+007", "7"}},
  };
  for (auto group : {Readers, Writers}) {
    for (Function& function : group()) all.push_back(std::move(function));
  }
  return all;
}

}  // namespace fensi::mapping
