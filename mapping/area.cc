#include "mapping/area.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mapping/functions/function.h"
#include "mapping/functions/numbers_as_text.h"

namespace fensi::mapping {
namespace {

constexpr double kEarthRadius = 6'371'008.8;  // metres
constexpr double kPole = 90;
constexpr double kAntimeridian = 180;

double Radians(double degrees) { return degrees * std::numbers::pi / 180; }
double Degrees(double radians) { return radians * 180 / std::numbers::pi; }

/// Metres of "500m" or "2.5km".
std::optional<double> ReadRadius(std::string_view text) {
  if (!text.ends_with('m')) return std::nullopt;
  text.remove_suffix(1);
  const double unit = text.ends_with('k') ? 1000 : 1;
  if (unit == 1000) text.remove_suffix(1);
  const std::optional<double> number = ParseReal(text);
  if (!number || !(*number >= 0) || std::isinf(*number)) return std::nullopt;
  return *number * unit;
}

/// Cells of the finest grid: rows and columns from the first to the last.
struct Cells {
  GridCell first, last;
};

/// A cell with so many of the leading bits of all.
struct PartialCell {
  int depth = 0;
  uint64_t bits = 0;
  GridCell cell;
};

/// The border of a box has twice as many cells with each second bit. Fewer ranges would not come of them.
constexpr size_t kMostNodes = 4'096;

enum class CutKind { kOutside, kInside, kPartly };

CutKind CutOf(const PartialCell& node, int all_bits, const std::vector<Cells>& wanted) {
  const int row_shift = all_bits / 2 - node.depth / 2;
  const int column_shift = (all_bits + 1) / 2 - (node.depth + 1) / 2;
  const GridCell first{node.cell.row << row_shift, node.cell.column << column_shift};
  const GridCell last{first.row + ((1U << row_shift) - 1), first.column + ((1U << column_shift) - 1)};
  CutKind cut = CutKind::kOutside;
  for (const Cells& box : wanted) {
    if (last.row < box.first.row || first.row > box.last.row || last.column < box.first.column ||
        first.column > box.last.column) {
      continue;
    }
    if (first.row >= box.first.row && last.row <= box.last.row && first.column >= box.first.column &&
        last.column <= box.last.column) {
      return CutKind::kInside;
    }
    cut = CutKind::kPartly;
  }
  return cut;
}

/// The halves that hold something wanted, in the order of their bits.
std::vector<PartialCell> Split(const std::vector<PartialCell>& nodes, int all_bits, const std::vector<Cells>& wanted) {
  std::vector<PartialCell> halves;
  for (const PartialCell& node : nodes) {
    if (CutOf(node, all_bits, wanted) == CutKind::kInside) {
      halves.push_back(node);
      continue;
    }
    for (const uint32_t bit : {0U, 1U}) {
      PartialCell half{node.depth + 1, node.bits << 1 | bit, node.cell};
      uint32_t& index = node.depth % 2 == 0 ? half.cell.column : half.cell.row;
      index = index << 1 | bit;
      if (CutOf(half, all_bits, wanted) != CutKind::kOutside) halves.push_back(half);
    }
  }
  return halves;
}

/// Numbers of the finest cells, the second exclusive; neighbours are merged.
std::vector<std::pair<uint64_t, uint64_t>> Merged(const std::vector<PartialCell>& nodes, int all_bits) {
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  for (const PartialCell& node : nodes) {
    const int shift = all_bits - node.depth;
    const uint64_t first = node.bits << shift, end = (node.bits + 1) << shift;
    if (!ranges.empty() && ranges.back().second == first) {
      ranges.back().second = end;
    } else {
      ranges.emplace_back(first, end);
    }
  }
  return ranges;
}

std::string WithoutZeros(std::string geohash) {
  geohash.erase(geohash.find_last_not_of('0') + 1);
  return geohash;
}

Cells CellsOf(double south, double west, double north, double east, int characters) {
  const int rows = RowBits(characters), columns = ColumnBits(characters);
  return {{RowOf(south, rows), ColumnOf(west, columns)}, {RowOf(north, rows), ColumnOf(east, columns)}};
}

}  // namespace

double Distance(const Position& a, const Position& b) {
  const double north = std::sin(Radians(b.latitude - a.latitude) / 2);
  const double east = std::sin(Radians(b.longitude - a.longitude) / 2);
  const double h = north * north + std::cos(Radians(a.latitude)) * std::cos(Radians(b.latitude)) * east * east;
  return 2 * kEarthRadius * std::asin(std::sqrt(std::min(h, 1.0)));
}

// A box that ends at one of the meridians 180 and -180 holds what lies at the other.
void Area::Add(double south, double west, double north, double east) {
  if (west > east) {
    Add(south, west, north, kAntimeridian);
    Add(south, -kAntimeridian, north, east);
    return;
  }
  boxes_.push_back({south, west, north, east});
  if (east == kAntimeridian && west > -kAntimeridian) boxes_.push_back({south, -kAntimeridian, north, -kAntimeridian});
  if (west == -kAntimeridian && east < kAntimeridian) boxes_.push_back({south, kAntimeridian, north, kAntimeridian});
}

Result<Area> Area::Near(std::string_view position, std::string_view radius) {
  std::string problem;
  const std::optional<Position> center = ParsePosition(position, &problem);
  if (!center) return InvalidArgument("--near: " + problem);
  const std::optional<double> metres = ReadRadius(radius);
  if (!metres)
    return InvalidArgument("--radius: " + Shown(radius) + " is not a distance: write a distance such as 500m or 2km");
  Area area;
  area.circle_ = Circle{*center, *metres};
  // More than all that the arithmetic of doubles can lose: about a metre.
  constexpr double kSpare = 1e-5;
  const double angle = std::min(Degrees(*metres / kEarthRadius), kAntimeridian) + kSpare;
  const double south = center->latitude - angle, north = center->latitude + angle;
  if (south <= -kPole || north >= kPole) {
    area.Add(std::max(south, -kPole), -kAntimeridian, std::min(north, kPole), kAntimeridian);
    return area;
  }
  const double width =
      Degrees(std::asin(std::min(std::sin(Radians(angle)) / std::cos(Radians(center->latitude)), 1.0))) + kSpare;
  double west = center->longitude - width, east = center->longitude + width;
  if (west < -kAntimeridian) west += 2 * kAntimeridian;
  if (east > kAntimeridian) east -= 2 * kAntimeridian;
  area.Add(south, west, north, east);
  return area;
}

Result<Area> Area::Box(std::string_view sides) {
  std::vector<double> numbers;
  for (std::string_view rest = sides;;) {
    const size_t comma = rest.find(',');
    const std::optional<double> number = ParseReal(rest.substr(0, comma));
    if (!number) break;
    numbers.push_back(*number);
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (numbers.size() != 4 || std::count(sides.begin(), sides.end(), ',') != 3) {
    return InvalidArgument("--box: " + Shown(sides) +
                           " is not a box: write S,W,N,E in degrees, for example 39.8,116.3,40,116.5");
  }
  const double south = numbers[0], west = numbers[1], north = numbers[2], east = numbers[3];
  for (const double latitude : {south, north}) {
    if (std::abs(latitude) > kPole) {
      return InvalidArgument("--box: the latitude " + RealText(latitude) + " is not from -90 to 90: write S,W,N,E");
    }
  }
  for (const double longitude : {west, east}) {
    if (std::abs(longitude) > kAntimeridian) {
      return InvalidArgument("--box: the longitude " + RealText(longitude) + " is not from -180 to 180: write S,W,N,E");
    }
  }
  if (south > north)
    return InvalidArgument("--box: the south " + RealText(south) + " is north of the north " + RealText(north) +
                           ": write S,W,N,E");
  Area area;
  area.Add(south, west, north, east);
  return area;
}

bool Area::Contains(const Position& position) const {
  if (circle_) return Distance(circle_->center, position) <= circle_->radius;
  return std::any_of(boxes_.begin(), boxes_.end(), [&](const Sides& box) {
    return position.latitude >= box.south && position.latitude <= box.north && position.longitude >= box.west &&
           position.longitude <= box.east;
  });
}

bool Area::Touches(std::string_view geohash) const {
  const std::optional<GridCell> cell = CellOf(geohash);
  if (!cell) return true;
  return std::any_of(boxes_.begin(), boxes_.end(), [&](const Sides& box) {
    const Cells cells = CellsOf(box.south, box.west, box.north, box.east, static_cast<int>(geohash.size()));
    return cell->row >= cells.first.row && cell->row <= cells.last.row && cell->column >= cells.first.column &&
           cell->column <= cells.last.column;
  });
}

std::vector<Area::Range> Area::Cover(int characters) const {
  std::vector<Cells> wanted;
  for (const Sides& box : boxes_) wanted.push_back(CellsOf(box.south, box.west, box.north, box.east, characters));
  const int all_bits = 5 * characters;
  std::vector<PartialCell> nodes = {PartialCell{}};
  for (int depth = 0; depth < all_bits; ++depth) {
    std::vector<PartialCell> halves = Split(nodes, all_bits, wanted);
    if (halves.size() > kMostNodes || Merged(halves, all_bits).size() > kMostRanges) break;
    nodes = std::move(halves);
  }
  std::vector<Range> cover;
  for (const auto& [first, end] : Merged(nodes, all_bits)) {
    Range& range = cover.emplace_back(WithoutZeros(GeohashText(first, characters)), std::nullopt);
    if (end >> all_bits == 0) range.second = WithoutZeros(GeohashText(end, characters));
  }
  return cover;
}

}  // namespace fensi::mapping
