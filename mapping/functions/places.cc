// Functions of positions on the earth.
#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"
#include "mapping/functions/positions.h"

namespace fensi::mapping {
namespace {

Outcome Geohash(const Arguments& a, Value* v, Scratch* scratch) {
  std::string problem;
  const std::optional<Position> position = ParsePosition(v->bytes, &problem);
  if (!position) return Refuse(scratch, std::move(problem));
  v->bytes = scratch->Keep(GeohashOf(*position, static_cast<int>(a[0].number)));
  return Outcome::kValue;
}

void GeohashShape(const Arguments& a, Shape* shape) {
  shape->MergeAny();
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->mappable = false;
  shape->bytes = BytesOf(kGeohashDigits);
  shape->SetWidth(static_cast<size_t>(a[0].number), static_cast<size_t>(a[0].number));
}

Inverse BackGeohash(const Arguments& a, Value* v, Scratch* scratch) {
  const std::optional<GridCell> cell = CellOf(v->bytes);
  if (!cell || v->bytes.size() != static_cast<size_t>(a[0].number)) return Inverse::kNone;
  v->bytes = scratch->Keep(PositionText(MiddleOf(*cell, static_cast<int>(a[0].number))));
  return Inverse::kGood;
}

}  // namespace

std::vector<Function> PlaceFunctions() {
  return {{"geohash",
           Category::kPlaces,
           {{"n", ArgumentKind::kCharacters}},
           Takes(Type::kBytes),
           Geohash,
           GeohashShape,
           "bytes -> bytes",
           "the cell of a position, `LAT,LON` or `POINT (LON LAT)` in degrees, in n characters (1 to 12): geohashes "
           "with a common beginning are in one larger cell. `fensi lookup --near` and `--box` read it",
           "unmappable when the value is no position, or is beyond 90 or 180 degrees",
           {"| geohash 9", "57.64911,10.40744", "u4pruydqq"},
           {.invert = BackGeohash, .best = Always<Inverse::kGood>}}};
}

}  // namespace fensi::mapping
