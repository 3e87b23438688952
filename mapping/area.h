// A part of the earth that a reader asks for: a circle or a box. Pure; immutable.
//
// The earth is a sphere of 6,371,008.8 m, and distances are great circles (haversine). The meridians 180 and -180 are
// one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "mapping/functions/positions.h"

namespace fensi::mapping {

/// In metres.
double Distance(const Position& a, const Position& b);

class Area {
 public:
  /// All positions at most `radius` ("500m", "2km") from "LAT,LON". kInvalidArgument: something else is written.
  static Result<Area> Near(std::string_view position, std::string_view radius);
  /// "S,W,N,E": latitudes from S to N, longitudes from W eastward to E, all included. W may be greater than E: across
  /// the meridian 180.
  static Result<Area> Box(std::string_view sides);

  bool Contains(const Position& position) const;
  /// False: no position of this geohash's cell is in the box around the area.
  bool Touches(std::string_view geohash) const;

  /// Geohashes from the first, inclusive, to the second, exclusive; absent: to the last. Of `characters` characters,
  /// but zeros at their end are left out. At most kMostRanges, in order, with every position of the area.
  using Range = std::pair<std::string, std::optional<std::string>>;
  static constexpr size_t kMostRanges = 32;
  std::vector<Range> Cover(int characters) const;

 private:
  struct Sides {
    double south = 0, west = 0, north = 0, east = 0;  // west is at most east
  };
  struct Circle {
    Position center;
    double radius = 0;
  };

  void Add(double south, double west, double north, double east);

  std::vector<Sides> boxes_;  // around the circle, if there is one
  std::optional<Circle> circle_;
};

}  // namespace fensi::mapping
