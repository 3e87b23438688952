// Functions between bytes and doubles or floats.
#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/numbers_as_text.h"

namespace fensi::mapping {
namespace {

constexpr Category kCategory = Category::kNumbers;

double RealIn(std::string_view bytes) {
  const uint64_t bits = ReadBigEndian(bytes);
  return bytes.size() == 4 ? std::bit_cast<float>(static_cast<uint32_t>(bits)) : std::bit_cast<double>(bits);
}

std::string_view BytesOfReal(double real, size_t width, Scratch* scratch) {
  if (width == 8) return scratch->KeepBigEndian(std::bit_cast<uint64_t>(real), 8);
  return scratch->KeepBigEndian(std::bit_cast<uint32_t>(static_cast<float>(real)), 4);
}

std::string_view Reversed(std::string_view bytes, Scratch* scratch) {
  return scratch->Keep(std::string(bytes.rbegin(), bytes.rend()));
}

// IEEE 754, as Bytes.toBytes(double) and (float) write.
template <size_t kBytes, bool kLittle>
Outcome FromIeee(const Arguments&, Value* v, Scratch* scratch) {
  if (v->bytes.size() != kBytes) {
    return RefuseWidth(scratch, v->bytes, std::to_string(kBytes));
  }
  const double real = RealIn(kLittle ? Reversed(v->bytes, scratch) : v->bytes);
  if (std::isnan(real)) return RefuseNaN(v->bytes, scratch);
  v->number = RankOf(real);
  return Outcome::kValue;
}

template <size_t kBytes, bool kLittle>
Inverse BackIeee(const Arguments&, Value* v, Scratch* scratch) {
  const double real = RealOf(v->number);
  v->bytes = BytesOfReal(real, kBytes, scratch);
  if (RealIn(v->bytes) != real) return Inverse::kNone;
  if (kLittle) v->bytes = Reversed(v->bytes, scratch);
  return Inverse::kExact;
}

void BecomeReal(Shape* shape) {
  const Shape before = *shape;
  shape->BecomeNumber(Type::kReal);
  shape->least = RankOf(-HUGE_VAL);
  shape->most = RankOf(HUGE_VAL);
  if (before.piece) shape->order = Direction::kUp;
  shape->keeps_sign = before.piece;
}

void FromIeeeShape(const Arguments&, Shape* shape) { BecomeReal(shape); }

Outcome FromText(const Arguments&, Value* v, Scratch* scratch) {
  const std::optional<double> real = ParseReal(v->bytes);
  if (!real) return Refuse(scratch, Shown(v->bytes) + " is not a number");
  v->number = RankOf(*real);
  return Outcome::kValue;
}

// "2.5" and "2.50" are one number.
void FromTextShape(const Arguments&, Shape* shape) {
  BecomeReal(shape);
  shape->MergeAny();
}

Inverse BackRealText(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(RealText(RealOf(v->number)));
  return Inverse::kGood;
}

template <size_t kBytes>
Outcome ToIeee(const Arguments&, Value* v, Scratch* scratch) {
  const double real = RealOf(v->number);
  v->bytes = BytesOfReal(real, kBytes, scratch);
  if (RealIn(v->bytes) == real) return Outcome::kValue;
  return Refuse(scratch, RealText(real) + " has no exact value in " + std::to_string(8 * kBytes) + " bits");
}

template <size_t kBytes>
void ToIeeeShape(const Arguments&, Shape* shape) {
  shape->LoseOrder();
  shape->BecomeBytes();
  if (kBytes < 8) shape->mappable = false;
  shape->SetWidth(kBytes, kBytes);
}

template <size_t kBytes>
Inverse BackToIeee(const Arguments&, Value* v, Scratch*) {
  if (v->bytes.size() != kBytes) return Inverse::kNone;
  const double real = RealIn(v->bytes);
  v->number = RankOf(real);
  return std::isnan(real) ? Inverse::kNone : Inverse::kExact;
}

Outcome Shortest(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(RealText(RealOf(v->number)));
  return Outcome::kValue;
}

void ShortestShape(const Arguments&, Shape* shape) {
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->bytes = BytesOf("-.0123456789e+Infinity");
  shape->SetWidth(1, 32);
}

Inverse BackShortest(const Arguments&, Value* v, Scratch* scratch) {
  return ReadTyped(Type::kReal, v->bytes, v, scratch) ? Inverse::kExact : Inverse::kNone;
}

size_t WidthOf(const Arguments& a) { return a.empty() ? 8 : static_cast<size_t>(a[0].number); }

// What sorts as the doubles do: the rank with its sign flipped, as Phoenix and OrderedBytes write them.
std::string_view OrderedReal(double real, size_t width, Scratch* scratch) {
  if (width == 8) return scratch->KeepBigEndian(static_cast<uint64_t>(RankOf(real)) ^ (uint64_t{1} << 63), 8);
  const auto bits = std::bit_cast<uint32_t>(static_cast<float>(real));
  constexpr uint32_t kSign = uint32_t{1} << 31;
  return scratch->KeepBigEndian((bits & kSign) != 0 ? ~bits : bits | kSign, 4);
}

Outcome Ordered(const Arguments& a, Value* v, Scratch* scratch) {
  const double real = RealOf(v->number);
  if (WidthOf(a) == 4 && static_cast<double>(static_cast<float>(real)) != real) {
    return Refuse(scratch, RealText(real) + " has no exact value in 32 bits: write 'ordered 8'");
  }
  v->bytes = OrderedReal(real, WidthOf(a), scratch);
  return Outcome::kValue;
}

// Bounds need not be floats.
Outcome OrderedBelow(const Arguments& a, Value* v, Scratch* scratch) {
  if (WidthOf(a) == 8) {
    v->bytes = scratch->KeepBigEndian(static_cast<uint64_t>(v->number) ^ (uint64_t{1} << 63), 8);
    return Outcome::kValue;
  }
  const double real = std::clamp(v->number, RankOf(-HUGE_VAL), RankOf(HUGE_VAL)) == v->number
                          ? RealOf(v->number)
                          : (v->number < 0 ? -HUGE_VAL : HUGE_VAL);
  auto below = static_cast<float>(real);
  if (static_cast<double>(below) > real) below = std::nextafter(below, -HUGE_VALF);
  v->bytes = OrderedReal(below, 4, scratch);
  return Outcome::kValue;
}

void OrderedShape(const Arguments& a, Shape* shape) {
  shape->BecomeBytes();
  if (WidthOf(a) == 4) shape->mappable = false;
  shape->SetWidth(WidthOf(a), WidthOf(a));
}

Inverse BackOrderedReal(const Arguments& a, Value* v, Scratch*) {
  if (v->bytes.size() != WidthOf(a)) return Inverse::kNone;
  const uint64_t bits = ReadBigEndian(v->bytes);
  double real = 0;
  if (WidthOf(a) == 8) {
    real = RealOf(static_cast<int64_t>(bits ^ (uint64_t{1} << 63)));
  } else {
    constexpr uint32_t kSign = uint32_t{1} << 31;
    const auto half = static_cast<uint32_t>(bits);
    real = std::bit_cast<float>((half & kSign) != 0 ? half ^ kSign : ~half);
  }
  v->number = RankOf(real);
  return std::isnan(real) ? Inverse::kNone : Inverse::kExact;
}

template <size_t kBytes, bool kLittle>
Function IeeeReader(std::string_view name, std::string_view summary, Example example) {
  return {name,
          kCategory,
          {},
          Takes(Type::kBytes),
          FromIeee<kBytes, kLittle>,
          FromIeeeShape,
          "bytes -> real",
          summary,
          "unmappable at another width, and for NaN, which has no place in an order",
          example,
          {.invert = BackIeee<kBytes, kLittle>, .best = Always<Inverse::kExact>, .role = Role::kReadsBytes}};
}

std::vector<Function> Readers() {
  return {
      IeeeReader<8, false>("f64", "a double in 8 bytes, big-endian, as HBase's Bytes.toBytes(double) writes",
                           {"| f64 | plain", "\\xC0$\\x00\\x00\\x00\\x00\\x00\\x00", "-10"}),
      IeeeReader<4, false>("f32", "a float in 4 bytes, big-endian, as Bytes.toBytes(float) writes",
                           {"| f32 | plain", "@ \\x00\\x00", "2.5"}),
      IeeeReader<8, true>("f64_le", "a double in 8 bytes, little-endian",
                          {"| f64_le | plain", "\\x00\\x00\\x00\\x00\\x00\\x00$\\xC0", "-10"}),
      IeeeReader<4, true>("f32_le", "a float in 4 bytes, little-endian", {"| f32_le | plain", "\\x00\\x00 @", "2.5"}),
      {"real",
       kCategory,
       {},
       Takes(Type::kBytes),
       FromText,
       FromTextShape,
       "bytes -> real",
       "a number in digits, optionally with point and exponent: the nearest double, as Java's Double.parseDouble; "
       "`Infinity` is accepted. For prices take `number`, which is exact",
       "unmappable when it is not one, and `NaN`",
       {"| real | ordered | hex", "-1.5", "4007ffffffffffff"},
       {.invert = BackRealText, .best = Always<Inverse::kGood>}},
  };
}

template <size_t kBytes>
Function IeeeWriter(std::string_view name, std::string_view summary, std::string_view errors, Example example) {
  return {name,
          kCategory,
          {},
          Takes(Type::kReal),
          ToIeee<kBytes>,
          ToIeeeShape<kBytes>,
          "real -> bytes",
          summary,
          errors,
          example,
          {.invert = BackToIeee<kBytes>, .best = Always<Inverse::kExact>}};
}

}  // namespace

std::vector<Function> RealFunctions() {
  std::vector<Function> all = Readers();
  all.push_back(IeeeWriter<8>("to_f64",
                              "8 bytes, big-endian, as Bytes.toBytes(double); for values, as it keeps no order", "",
                              {"| real | to_f64 | hex", "2.5", "4004000000000000"}));
  all.push_back(IeeeWriter<4>("to_f32", "4 bytes, big-endian, as Bytes.toBytes(float); keeps no order",
                              "unmappable when it is no float", {"| real | to_f32 | hex", "2.5", "40200000"}));
  all.push_back(
      {"ordered",
       kCategory,
       {{"n", ArgumentKind::kRealWidth, true}},
       Takes(Type::kReal),
       Ordered,
       OrderedShape,
       "real -> bytes",
       "8 bytes, or 4 of a float, that sort as the numbers do, as OrderedBytes writes after its type byte: -Infinity, "
       "negative numbers, -0, 0, positive ones, Infinity",
       "with 4 unmappable when it is no float",
       {"| f64 | ordered | hex", "\\xC0$\\x00\\x00\\x00\\x00\\x00\\x00", "3fdbffffffffffff"},
       {.invert = BackOrderedReal,
        .best = Always<Inverse::kExact>,
        .order = Lying<Direction::kUp>,
        .below = OrderedBelow}});
  all.push_back({"plain",
                 kCategory,
                 {},
                 Takes(Type::kReal),
                 Shortest,
                 ShortestShape,
                 "real -> bytes",
                 "the shortest digits that are read as the same double, with an exponent where that is shorter",
                 "",
                 {"| real | plain", "19.90", "19.9"},
                 {.invert = BackShortest, .best = Always<Inverse::kExact>}});
  return all;
}

}  // namespace fensi::mapping
