// Functions between bytes and exact decimals of any length.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/numbers_as_text.h"

namespace fensi::mapping {
namespace {

constexpr Category kCategory = Category::kNumbers;
constexpr size_t kMostUnscaled = 4200;           // bytes, of 10,000 digits
constexpr int64_t kMostUnscaledDigits = 10'115;  // in so many bytes

Outcome FromDecimalText(const Arguments&, Value* v, Scratch* scratch) {
  const std::optional<Decimal> decimal = ParseDecimal(v->bytes);
  if (!decimal) {
    return Refuse(scratch, Shown(v->bytes) + " is not a number with at most " + std::to_string(kMostPlaces) +
                               " digits before and after its decimal point");
  }
  v->bytes = scratch->Keep(EncodeDecimal(*decimal));
  return Outcome::kValue;
}

void DecimalShape(const Arguments&, Shape* shape) {
  const Shape before = *shape;
  shape->BecomeNumber(Type::kDecimal);
  shape->MergeAny();
  shape->SetWidth(1, Shape::kUnbounded);
  shape->bytes.set();
  if (before.piece) shape->order = Direction::kUp;
}

Inverse BackDecimalText(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(TypedText(Type::kDecimal, *v));
  return Inverse::kGood;
}

// The bytes of a number with sign become those of its negative.
void Negate(std::string* big_endian) {
  unsigned carry = 1;
  for (size_t i = big_endian->size(); i-- > 0;) {
    carry += static_cast<unsigned char>(~(*big_endian)[i]);
    (*big_endian)[i] = static_cast<char>(carry);
    carry >>= 8;
  }
}

// Digits of a big-endian number with sign: base 10^9, by four bytes at a time.
std::string DigitsOf(std::string_view bytes, bool* negative) {
  constexpr uint64_t kBase = 1'000'000'000;
  *negative = !bytes.empty() && (bytes[0] & 0x80) != 0;
  std::string magnitude(bytes);
  if (*negative) Negate(&magnitude);
  magnitude.insert(0, (4 - magnitude.size() % 4) % 4, '\0');
  std::vector<uint32_t> limbs;
  for (size_t at = 0; at < magnitude.size(); at += 4) {
    uint64_t rest = ReadBigEndian(std::string_view(magnitude).substr(at, 4));
    for (uint32_t& limb : limbs) {
      rest += uint64_t{limb} << 32;
      limb = static_cast<uint32_t>(rest % kBase);
      rest /= kBase;
    }
    for (; rest != 0; rest /= kBase) limbs.push_back(static_cast<uint32_t>(rest % kBase));
  }
  std::string digits;
  for (size_t i = limbs.size(); i-- > 0;) {
    const std::string text = std::to_string(limbs[i]);
    digits += std::string(9 - text.size(), '0') + text;
  }
  return digits;
}

// The time that digits take grows with the square of the bytes.
bool Affords(std::string_view unscaled, Scratch* scratch) {
  constexpr size_t kBytesOfAStep = 32;
  if (scratch->Spend(unscaled.size() * unscaled.size() / kBytesOfAStep)) return true;
  scratch->reason = "the decimals of one row would take too long";
  return false;
}

// The decimal of an unscaled number, big-endian with sign, as Java's BigInteger.toByteArray() writes it.
Outcome FromUnscaled(std::string_view unscaled, int64_t scale, Value* v, Scratch* scratch) {
  if (!Affords(unscaled, scratch)) return Outcome::kUnmappable;
  Decimal decimal;
  decimal.digits = DigitsOf(unscaled, &decimal.negative);
  decimal.point = static_cast<int64_t>(decimal.digits.size()) - scale;
  decimal.Normalize();
  if (std::abs(decimal.point) > kMostPlaces) {
    return Refuse(scratch, Shown(v->bytes) + " has more than " + std::to_string(kMostPlaces) +
                               " digits before or after its decimal point");
  }
  v->bytes = scratch->Keep(EncodeDecimal(decimal));
  return Outcome::kValue;
}

// The fewest bytes of the unscaled number. The scale is at least the number of the decimal's places. Nothing: they are
// more than kMostUnscaled.
std::optional<std::string> UnscaledBytes(const Decimal& decimal, int64_t scale) {
  if (!decimal.digits.empty() && decimal.point + scale > kMostUnscaledDigits) return std::nullopt;
  std::string digits = decimal.digits;
  digits.resize(static_cast<size_t>(decimal.point + scale), '0');  // without the point
  std::vector<uint32_t> limbs;                                     // the lowest first
  for (size_t at = 0; at < digits.size(); at += 9) {
    uint64_t carry = 0;
    uint64_t power = 1;
    for (const char digit : std::string_view(digits).substr(at, 9)) {
      carry = carry * 10 + static_cast<uint64_t>(digit - '0');
      power *= 10;
    }
    for (uint32_t& limb : limbs) {
      carry += limb * power;
      limb = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs.push_back(static_cast<uint32_t>(carry));
  }
  std::string bytes;
  for (size_t i = 4 * limbs.size(); i-- > 0;) bytes.push_back(static_cast<char>(limbs[i / 4] >> (8 * (i % 4))));
  bytes.erase(0, bytes.find_first_not_of('\0'));
  if (decimal.negative) Negate(&bytes);
  const bool top = !bytes.empty() && (bytes[0] & 0x80) != 0;
  if (bytes.empty() || top != decimal.negative) bytes.insert(bytes.begin(), decimal.negative ? '\xFF' : '\0');
  return bytes.size() <= kMostUnscaled ? std::optional(bytes) : std::nullopt;
}

int64_t PlacesOf(const Decimal& decimal) {
  return std::max<int64_t>(static_cast<int64_t>(decimal.digits.size()) - decimal.point, 0);
}

// Four bytes of scale and the unscaled number, as Bytes.toBytes(BigDecimal) writes them.
Outcome BigDecimal(const Arguments&, Value* v, Scratch* scratch) {
  constexpr size_t kScale = 4;
  if (v->bytes.size() <= kScale || v->bytes.size() > kScale + kMostUnscaled) {
    return Refuse(scratch, Shown(v->bytes) +
                               " is not a BigDecimal of HBase: four bytes of scale, then a number of 1 to 4200 bytes");
  }
  const auto scale = static_cast<int32_t>(ReadBigEndian(v->bytes.substr(0, kScale)));
  return FromUnscaled(v->bytes.substr(kScale), scale, v, scratch);
}

// Uses the scale of the number without trailing zeros.
Inverse BackBigDecimal(const Arguments&, Value* v, Scratch* scratch) {
  std::string_view bytes = v->bytes;
  const std::optional<Decimal> decimal = DecodeDecimal(&bytes);
  if (!decimal) return Inverse::kNone;
  const int64_t scale = PlacesOf(*decimal);
  const std::optional<std::string> unscaled = UnscaledBytes(*decimal, scale);
  if (!unscaled) return Inverse::kNone;
  v->bytes = scratch->Keep(std::string(scratch->KeepBigEndian(static_cast<uint32_t>(scale), 4)) + *unscaled);
  return Inverse::kGood;
}

Outcome Unscaled(const Arguments& a, Value* v, Scratch* scratch) {
  if (v->bytes.empty() || v->bytes.size() > kMostUnscaled) {
    return Refuse(scratch, Shown(v->bytes) + " is not an unscaled number: 1 to " + std::to_string(kMostUnscaled) +
                               " bytes, big-endian with sign");
  }
  return FromUnscaled(v->bytes, a[0].number, v, scratch);
}

Inverse BackUnscaled(const Arguments& a, Value* v, Scratch* scratch) {
  std::string_view bytes = v->bytes;
  const std::optional<Decimal> decimal = DecodeDecimal(&bytes);
  if (!decimal || PlacesOf(*decimal) > a[0].number) return Inverse::kNone;
  const std::optional<std::string> unscaled = UnscaledBytes(*decimal, a[0].number);
  if (!unscaled) return Inverse::kNone;
  v->bytes = scratch->Keep(*unscaled);
  return Inverse::kGood;
}

Outcome Plain(const Arguments&, Value* v, Scratch* scratch) {
  v->bytes = scratch->Keep(TypedText(Type::kDecimal, *v));
  return Outcome::kValue;
}

void PlainShape(const Arguments&, Shape* shape) {
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->bytes = BytesOf("-.0123456789");
  shape->SetWidth(1, Shape::kUnbounded);
}

Inverse BackPlain(const Arguments&, Value* v, Scratch* scratch) {
  return ReadTyped(Type::kDecimal, v->bytes, v, scratch) ? Inverse::kExact : Inverse::kNone;
}

Outcome OrderedDecimal(const Arguments&, Value*, Scratch*) { return Outcome::kValue; }
void OrderedDecimalShape(const Arguments&, Shape* shape) {
  shape->BecomeBytes();
  shape->SetWidth(1, Shape::kUnbounded);
}

Inverse BackOrderedDecimal(const Arguments&, Value* v, Scratch*) {
  std::string_view bytes = v->bytes;
  return DecodeDecimal(&bytes) && bytes.empty() ? Inverse::kExact : Inverse::kNone;
}

std::vector<Function> Readers() {
  return {
      {"number",
       kCategory,
       {},
       Takes(Type::kBytes),
       FromDecimalText,
       DecimalShape,
       "bytes -> decimal",
       "a number in digits, optionally with point and exponent, exact at any length: `19.9` and `19.90` are equal",
       "unmappable when it is not one, or its point is more than 10,000 places from its first digit",
       {"| number | plain", "1.990e1", "19.9"},
       {.invert = BackDecimalText, .best = Always<Inverse::kGood>}},
      {"big_decimal",
       kCategory,
       {},
       Takes(Type::kBytes),
       BigDecimal,
       DecimalShape,
       "bytes -> decimal",
       "4 bytes of scale and the number, as HBase's Bytes.toBytes(BigDecimal) writes",
       "unmappable when it has less than 5 or more than 4,204 bytes, or its point is more than 10,000 places from its "
       "first digit",
       {"| big_decimal | plain", "\\x00\\x00\\x00\\x02\\x07\\xC6", "19.9"},
       {.invert = BackBigDecimal, .best = Always<Inverse::kGood>, .role = Role::kReadsBytes}},
      {"unscaled",
       kCategory,
       {{"scale", ArgumentKind::kScale}},
       Takes(Type::kBytes),
       Unscaled,
       DecimalShape,
       "bytes -> decimal",
       "a decimal without its point, big-endian with sign, as Java's BigInteger.toByteArray() writes; `scale` is the "
       "number of places after the point, at most 10,000. Avro, Kafka Connect and Debezium write so, and their schema "
       "has the scale",
       "unmappable when it has no byte or more than 4,200, or its point is more than 10,000 places from its first "
       "digit",
       {"| unbase64 | unscaled 2 | plain", "B8Y=", "19.9"},
       {.invert = BackUnscaled, .best = Always<Inverse::kGood>, .role = Role::kReadsBytes}},
  };
}

}  // namespace

std::vector<Function> DecimalFunctions() {
  std::vector<Function> all = Readers();
  all.push_back(
      {"ordered",
       kCategory,
       {},
       Takes(Type::kDecimal),
       OrderedDecimal,
       OrderedDecimalShape,
       "decimal -> bytes",
       "bytes that sort as the numbers do, as HBase's OrderedBytes.encodeNumeric writes them (up to its 31 digits), "
       "here of any length; `terminated` ends them",
       "",
       {"| number | ordered | hex", "19.90", "1827b4"},
       {.invert = BackOrderedDecimal, .best = Always<Inverse::kExact>, .order = Lying<Direction::kUp>}});
  all.push_back({"plain",
                 kCategory,
                 {},
                 Takes(Type::kDecimal),
                 Plain,
                 PlainShape,
                 "decimal -> bytes",
                 "the number in digits, without exponent and without zeros at the end of the fraction",
                 "",
                 {"| number | plain", "-1200.00e-5", "-0.012"},
                 {.invert = BackPlain, .best = Always<Inverse::kExact>}});
  return all;
}

}  // namespace fensi::mapping
