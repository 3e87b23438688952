#include "mapping/functions/positions.h"

#include <cmath>

#include "mapping/functions/function.h"
#include "mapping/functions/numbers_as_text.h"

namespace fensi::mapping {
namespace {

constexpr double kMostLatitude = 90;
constexpr double kMostLongitude = 180;

// Halves are exact: 45 times a power of two has few bits.
uint32_t Halved(double degrees, double most, int bits) {
  double low = -most, high = most;
  uint32_t index = 0;
  for (int i = 0; i < bits; ++i) {
    const double middle = (low + high) / 2;
    const bool upper = degrees >= middle;
    (upper ? low : high) = middle;
    index = index << 1 | (upper ? 1 : 0);
  }
  return index;
}

double MiddleOf(uint32_t index, double most, int bits) { return std::ldexp(most, -bits) * (2.0 * index + 1) - most; }

std::string_view Trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// What is between the parentheses of POINT, in any case; absent: it is not written so.
std::optional<std::string_view> PointOf(std::string_view text) {
  constexpr std::string_view kPoint = "POINT";
  if (text.size() < kPoint.size()) return std::nullopt;
  for (size_t i = 0; i < kPoint.size(); ++i) {
    if ((text[i] & ~0x20) != kPoint[i]) return std::nullopt;
  }
  text = Trimmed(text.substr(kPoint.size()));
  if (!text.starts_with('(') || !text.ends_with(')')) return std::nullopt;
  return Trimmed(text.substr(1, text.size() - 2));
}

std::optional<double> Degrees(std::string_view text, double most) {
  const std::optional<double> degrees = ParseReal(text);
  return degrees && std::abs(*degrees) <= most ? degrees : std::nullopt;
}

}  // namespace

std::optional<Position> ParsePosition(std::string_view text, std::string* problem) {
  const std::string_view trimmed = Trimmed(text);
  const std::optional<std::string_view> point = PointOf(trimmed);
  const std::string_view pair = point.value_or(trimmed);
  const size_t at = pair.find(point ? ' ' : ',');
  const std::string_view first = Trimmed(pair.substr(0, at));
  const std::string_view second = at == std::string_view::npos ? "" : Trimmed(pair.substr(at + 1));
  const std::string_view latitude = point ? second : first, longitude = point ? first : second;
  if (!ParseReal(latitude) || !ParseReal(longitude)) {
    *problem = Shown(text) + " is not a position like 39.9,116.4 (LAT,LON) or POINT (116.4 39.9)";
    return std::nullopt;
  }
  const std::optional<double> north = Degrees(latitude, kMostLatitude);
  const std::optional<double> east = Degrees(longitude, kMostLongitude);
  if (!north) *problem = Shown(text) + " has a latitude that is not from -90 to 90";
  if (north && !east) *problem = Shown(text) + " has a longitude that is not from -180 to 180";
  return north && east ? std::optional(Position{*north, *east}) : std::nullopt;
}

std::string PositionText(const Position& position) {
  return RealText(position.latitude) + "," + RealText(position.longitude);
}

uint32_t RowOf(double latitude, int bits) { return Halved(latitude, kMostLatitude, bits); }
uint32_t ColumnOf(double longitude, int bits) { return Halved(longitude, kMostLongitude, bits); }

std::string GeohashText(uint64_t bits, int characters) {
  std::string text(static_cast<size_t>(characters), '0');
  for (size_t i = text.size(); i-- > 0; bits >>= 5) text[i] = kGeohashDigits[bits & 31];
  return text;
}

std::string GeohashOf(const Position& position, int characters) {
  const int row_bits = RowBits(characters), column_bits = ColumnBits(characters);
  const uint32_t row = RowOf(position.latitude, row_bits), column = ColumnOf(position.longitude, column_bits);
  uint64_t bits = 0;
  for (int i = 0; i < row_bits + column_bits; ++i) {
    const bool of_column = i % 2 == 0;
    const int rest = (of_column ? column_bits : row_bits) - i / 2 - 1;
    bits = bits << 1 | ((of_column ? column : row) >> rest & 1);
  }
  return GeohashText(bits, characters);
}

std::optional<GridCell> CellOf(std::string_view geohash) {
  if (geohash.empty() || geohash.size() > kMostGeohash) return std::nullopt;
  GridCell cell;
  bool of_column = true;
  for (const char c : geohash) {
    const size_t digit = kGeohashDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    for (int bit = 4; bit >= 0; --bit, of_column = !of_column) {
      uint32_t& index = of_column ? cell.column : cell.row;
      index = index << 1 | static_cast<uint32_t>(digit >> bit & 1);
    }
  }
  return cell;
}

Position MiddleOf(const GridCell& cell, int characters) {
  return {MiddleOf(cell.row, kMostLatitude, RowBits(characters)),
          MiddleOf(cell.column, kMostLongitude, ColumnBits(characters))};
}

}  // namespace fensi::mapping
