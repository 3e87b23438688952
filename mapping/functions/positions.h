// Positions on the earth as text, and the cells of the geohash grid. Pure functions.
//
// A geohash of N characters is a number of 5 N bits, in digits of 5 bits. From the first on, the bits halve the
// longitude and the latitude in turn, so that a cell holds all cells whose text begins with its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fensi::mapping {

/// In degrees: latitude from -90 to 90, longitude from -180 to 180.
struct Position {
  double latitude = 0;
  double longitude = 0;
};

constexpr int kMostGeohash = 12;
/// The digits, from 0 to 31: in the order of their bytes.
constexpr std::string_view kGeohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz";

/// Reads "LAT,LON", and "POINT (LON LAT)" of WKT; blanks around the numbers are allowed. Absent: `problem` has the
/// reason.
std::optional<Position> ParsePosition(std::string_view text, std::string* problem);
/// "39.9,116.4": the shortest digits that are read as the same doubles.
std::string PositionText(const Position& position);

/// A cell of the grid with 2^bits rows and columns, counted from south and west.
struct GridCell {
  uint32_t row = 0;
  uint32_t column = 0;
};
/// Bits of rows and of columns in a geohash of so many characters.
constexpr int RowBits(int characters) { return 5 * characters / 2; }
constexpr int ColumnBits(int characters) { return (5 * characters + 1) / 2; }

/// 90 and 180 belong to the last cells.
uint32_t RowOf(double latitude, int bits);
uint32_t ColumnOf(double longitude, int bits);

/// The digits of a number of 5 * `characters` bits.
std::string GeohashText(uint64_t bits, int characters);
std::string GeohashOf(const Position& position, int characters);
/// Absent: these are no digits, none, or more than 12.
std::optional<GridCell> CellOf(std::string_view geohash);
/// The middle of a cell.
Position MiddleOf(const GridCell& cell, int characters);

}  // namespace fensi::mapping
