#include "mapping/functions/numbers_as_text.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/text.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

constexpr unsigned char kZero = 0x15;
constexpr unsigned char kNegativeSmall = 0x14, kPositiveSmall = 0x16;
constexpr unsigned char kNegativeMedium = 0x13, kPositiveMedium = 0x17;  // less or plus the exponent
constexpr unsigned char kNegativeLarge = 0x08, kPositiveLarge = 0x22;
constexpr int64_t kMostMedium = 10;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

void Complement(size_t begin, std::string* bytes) {
  for (size_t i = begin; i < bytes->size(); ++i) (*bytes)[i] = static_cast<char>(~(*bytes)[i]);
}

// SQLite's varint, whose bytes sort as the numbers do; exponents stay below 67,824.
void AppendExponent(int64_t exponent, bool complement, std::string* bytes) {
  const size_t begin = bytes->size();
  const auto put = [bytes](int64_t byte) { bytes->push_back(static_cast<char>(byte)); };
  if (exponent < 241) {
    put(exponent);
  } else if (exponent < 2288) {
    put((exponent - 240) / 256 + 241);
    put((exponent - 240) % 256);
  } else {
    put(249);
    put((exponent - 2288) / 256);
    put((exponent - 2288) % 256);
  }
  if (complement) Complement(begin, bytes);
}

std::optional<int64_t> TakeByte(bool complement, std::string_view* bytes) {
  if (bytes->empty()) return std::nullopt;
  const auto byte = static_cast<unsigned char>(bytes->front());
  bytes->remove_prefix(1);
  return complement ? 255 - byte : byte;
}

std::optional<int64_t> TakeExponent(bool complement, std::string_view* bytes) {
  const auto first = TakeByte(complement, bytes);
  if (!first || *first < 241) return first;
  const auto second = TakeByte(complement, bytes);
  if (!second || *first > 249) return std::nullopt;
  if (*first < 249) return 240 + (*first - 241) * 256 + *second;
  const auto third = TakeByte(complement, bytes);
  return third ? std::optional(2288 + *second * 256 + *third) : std::nullopt;
}

// Pairs of digits, each twice its number and one more when another follows. False: no end, or not such pairs.
bool TakePairs(bool complement, std::string_view* bytes, std::string* digits) {
  for (;;) {
    const auto byte = TakeByte(complement, bytes);
    if (!byte || *byte > 199) return false;
    digits->push_back(static_cast<char>('0' + *byte / 20));
    digits->push_back(static_cast<char>('0' + *byte / 2 % 10));
    if (*byte % 2 == 0) return *byte != 0;
  }
}

// The exponent of a hundred, and the sign, by the first byte. False: no finite number other than zero.
bool TakeHeader(std::string_view* bytes, bool* negative, int64_t* exponent) {
  const int64_t header = *TakeByte(false, bytes);
  *negative = header < kZero;
  const int64_t medium = *negative ? kNegativeMedium - header : header - kPositiveMedium;
  if (medium >= 1 && medium <= kMostMedium) {
    *exponent = medium;
    return true;
  }
  const bool large = header == kNegativeLarge || header == kPositiveLarge;
  if (!large && header != kNegativeSmall && header != kPositiveSmall) return false;
  const auto read = TakeExponent(large == *negative, bytes);
  *exponent = large ? read.value_or(0) : -read.value_or(0);
  return read.has_value() && (!large || *read > kMostMedium);
}

// Of a text that no double is near: as in Java, it is infinite or zero. Its exponent may exceed 64 bits.
bool IsAboveOne(std::string_view text) {
  const size_t letter = std::min(text.find_first_of("eE"), text.size());
  const std::string_view mantissa = text.substr(0, letter);
  const auto point = static_cast<int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  const auto first = static_cast<int64_t>(mantissa.find_first_of("123456789"));
  if (letter == text.size()) return first < point;
  std::string_view exponent = text.substr(letter + 1);
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const std::optional<int64_t> number = ParseWhole<int64_t>(exponent);
  return number ? *number > first - point : exponent[0] != '-';
}

}  // namespace

int64_t RankOf(double real) {
  const auto bits = std::bit_cast<int64_t>(real);
  return bits < 0 ? bits ^ INT64_MAX : bits;
}

double RealOf(int64_t rank) { return std::bit_cast<double>(rank < 0 ? rank ^ INT64_MAX : rank); }

std::optional<int64_t> RankOfNearestFloat(int64_t rank) {
  const double real = RealOf(rank);
  if (std::isfinite(real) && std::abs(real) > std::numeric_limits<float>::max()) return std::nullopt;
  const auto nearest = static_cast<float>(real);
  if (nearest == 0 && real != 0) return std::nullopt;
  return RankOf(nearest);
}

std::optional<double> ParseReal(std::string_view text) {
  if (text == "Infinity" || text == "+Infinity") return HUGE_VAL;
  if (text == "-Infinity") return -HUGE_VAL;
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const bool begins = !text.empty() && (IsDigit(text.back()) || text.back() == '.');
  const bool letters = text.find_first_not_of("0123456789.eE+-") != std::string_view::npos;
  if (!begins || letters) return std::nullopt;
  double real = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, real);
  if (at != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc()) return real;
  const double magnitude = IsAboveOne(text) ? HUGE_VAL : 0.0;
  return text[0] == '-' ? -magnitude : magnitude;
}

Outcome RefuseNaN(std::string_view bytes, Scratch* scratch) {
  return Refuse(scratch, Shown(bytes) + " is NaN (not a number), which has no order among numbers");
}

std::string RealText(double real) {
  if (std::isnan(real)) return "NaN";
  if (std::isinf(real)) return real < 0 ? "-Infinity" : "Infinity";
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, real).ptr};
}

void Decimal::Normalize() {
  const size_t first = std::min(digits.find_first_not_of('0'), digits.size());
  digits.erase(0, first);
  point -= static_cast<int64_t>(first);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (!digits.empty()) return;
  negative = false;
  point = 0;
}

std::optional<Decimal> ParseDecimal(std::string_view text) {
  Decimal decimal;
  const auto eat = [&text](std::string_view one_of) {
    if (text.empty() || one_of.find(text[0]) == std::string_view::npos) return '\0';
    const char c = text[0];
    text.remove_prefix(1);
    return c;
  };
  const auto eat_digits = [&] {
    const size_t count = std::min(text.find_first_not_of("0123456789"), text.size());
    decimal.digits += text.substr(0, count);
    text.remove_prefix(count);
  };
  decimal.negative = eat("+-") == '-';
  eat_digits();
  decimal.point = static_cast<int64_t>(decimal.digits.size());
  if (eat(".") != '\0') eat_digits();
  if (decimal.digits.empty()) return std::nullopt;
  if (eat("eE") != '\0') {
    const bool signed_twice = text.size() > 1 && text[0] == '+' && text[1] == '-';
    if (!signed_twice && eat("+") != '\0' && text.empty()) return std::nullopt;
    const auto exponent = ParseWhole<int64_t>(text);
    if (!exponent || *exponent > 2 * kMostPlaces || *exponent < -2 * kMostPlaces) return std::nullopt;
    decimal.point += *exponent;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  decimal.Normalize();
  if (std::abs(decimal.point) > kMostPlaces) return std::nullopt;
  return decimal;
}

std::string DecimalText(const Decimal& decimal) {
  if (decimal.digits.empty()) return "0";
  const std::string sign = decimal.negative ? "-" : "";
  const auto size = static_cast<int64_t>(decimal.digits.size());
  if (decimal.point <= 0) return sign + "0." + std::string(static_cast<size_t>(-decimal.point), '0') + decimal.digits;
  if (decimal.point >= size) return sign + decimal.digits + std::string(static_cast<size_t>(decimal.point - size), '0');
  std::string text = sign + decimal.digits;
  return text.insert(sign.size() + static_cast<size_t>(decimal.point), ".");
}

// A value is M times 100 to the power of E, with M of pairs of digits from 0.01 to below 1.
std::string EncodeDecimal(const Decimal& decimal) {
  if (decimal.digits.empty()) return std::string(1, static_cast<char>(kZero));
  const int64_t exponent = (decimal.point + 1) >> 1;
  std::string digits = (decimal.point % 2 != 0 ? "0" : "") + decimal.digits;
  if (digits.size() % 2 != 0) digits.push_back('0');
  std::string bytes;
  const auto header = [&bytes](int64_t byte) { bytes.push_back(static_cast<char>(byte)); };
  if (exponent > kMostMedium) {
    header(decimal.negative ? kNegativeLarge : kPositiveLarge);
    AppendExponent(exponent, decimal.negative, &bytes);
  } else if (exponent > 0) {
    header(decimal.negative ? kNegativeMedium - exponent : kPositiveMedium + exponent);
  } else {
    header(decimal.negative ? kNegativeSmall : kPositiveSmall);
    AppendExponent(-exponent, !decimal.negative, &bytes);
  }
  const size_t begin = bytes.size();
  for (size_t i = 0; i < digits.size(); i += 2) {
    const int pair = (digits[i] - '0') * 10 + digits[i + 1] - '0';
    bytes.push_back(static_cast<char>(2 * pair + (i + 2 < digits.size() ? 1 : 0)));
  }
  if (decimal.negative) Complement(begin, &bytes);
  return bytes;
}

std::optional<Decimal> DecodeDecimal(std::string_view* bytes) {
  Decimal decimal;
  const std::string_view before = *bytes;
  if (bytes->empty()) return std::nullopt;
  if (static_cast<unsigned char>(bytes->front()) == kZero) {
    bytes->remove_prefix(1);
    return decimal;
  }
  int64_t exponent = 0;
  if (!TakeHeader(bytes, &decimal.negative, &exponent)) return std::nullopt;
  if (!TakePairs(decimal.negative, bytes, &decimal.digits)) return std::nullopt;
  decimal.point = 2 * exponent;
  decimal.Normalize();
  if (std::abs(decimal.point) > kMostPlaces) return std::nullopt;
  // There is one way of writing each number; what was written otherwise would not sort as its number does.
  const bool written_so = EncodeDecimal(decimal) == before.substr(0, before.size() - bytes->size());
  return written_so ? std::optional(decimal) : std::nullopt;
}

bool ReadTyped(Type type, std::string_view text, Value* value, Scratch* scratch) {
  if (type == Type::kReal) {
    const std::optional<double> real = ParseReal(text);
    if (real) value->number = RankOf(*real);
    return real.has_value();
  }
  if (type == Type::kDecimal) {
    const std::optional<Decimal> decimal = ParseDecimal(text);
    if (decimal) value->bytes = scratch->Keep(EncodeDecimal(*decimal));
    return decimal.has_value();
  }
  value->bytes = text;
  if (!IsRanked(type)) return true;
  const std::optional<int64_t> number = ParseInteger(text);
  if (number) value->number = *number;
  return number.has_value();
}

std::string TypedText(Type type, const Value& value) {
  if (type == Type::kReal) return RealText(RealOf(value.number));
  if (IsRanked(type)) return std::to_string(value.number);
  if (type != Type::kDecimal) return std::string(value.bytes);
  std::string_view bytes = value.bytes;
  const std::optional<Decimal> decimal = DecodeDecimal(&bytes);
  return decimal ? DecimalText(*decimal) : std::string(value.bytes);
}

}  // namespace fensi::mapping
