// Values of the types real and decimal: how they are kept, and their text. Pure functions.
//
// A real is a double, kept as its rank: a number of 64 bits that grows with the double, -0 before 0. A decimal is an
// exact number of any length, kept as HBase's OrderedBytes.encodeNumeric writes it: these bytes sort as the numbers do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapping/functions/function.h"

namespace fensi::mapping {

int64_t RankOf(double real);
double RealOf(int64_t rank);
/// The rank of the float that is nearest to a double; absent: beyond all floats, or so small that it would be zero.
std::optional<int64_t> RankOfNearestFloat(int64_t rank);

/// "19.9", "-1e300", "Infinity", as Java and C write them, without blanks; the nearest double. Nothing: no number, or
/// NaN.
std::optional<double> ParseReal(std::string_view text);
/// The shortest digits that are read as this double: "19.9", "1e+300", "Infinity".
std::string RealText(double real);
/// The problem of a value that is NaN: it has no rank.
Outcome RefuseNaN(std::string_view bytes, Scratch* scratch);

/// An exact number: 0.DIGITS times ten to the power of `point`. Zero has no digits.
struct Decimal {
  bool negative = false;
  std::string digits;  // neither begins nor ends with a zero
  int64_t point = 0;

  void Normalize();
};

/// Decimals have their point at most so many places from their first digit, so that their text has an end.
constexpr int64_t kMostPlaces = 10'000;

/// Sign, digits, point and exponent. Nothing: no number, or beyond kMostPlaces.
std::optional<Decimal> ParseDecimal(std::string_view text);
/// Without exponent: "19.9", "-0.001", "1200".
std::string DecimalText(const Decimal& decimal);

std::string EncodeDecimal(const Decimal& decimal);
/// Reads one from the front and removes it. Nothing: there is none, as for infinities and NaN.
std::optional<Decimal> DecodeDecimal(std::string_view* bytes);

/// Is Value::number what such values are compared by?
constexpr bool IsRanked(Type type) { return type == Type::kInteger || type == Type::kTime || type == Type::kReal; }

/// A value as people write it: whole digits, milliseconds of a time, a real, a decimal, or bytes as they are.
bool ReadTyped(Type type, std::string_view text, Value* value, Scratch* scratch);
std::string TypedText(Type type, const Value& value);

}  // namespace fensi::mapping
