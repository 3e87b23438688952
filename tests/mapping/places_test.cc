// Geohashes are those of published classes (tests/data/places), and a lookup finds what is in a circle or a box: all of
// it, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <numbers>
#include <random>
#include <sstream>

#include "base/bytes.h"
#include "mapping/area.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/lookup.h"
#include "tests/mapping/lookup_testing.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"

namespace fensi::mapping {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Geohash, IsThatOfPublishedClasses) {
  std::ifstream file(InTree("tests/data/places/vectors.tsv"));
  std::string by, latitude, longitude, geohash;
  int characters = 0, vectors = 0;
  while (file >> by >> characters >> latitude >> longitude >> geohash) {
    ++vectors;
    const std::string steps = "| geohash " + std::to_string(characters);
    ASSERT_EQ(RunSteps(steps, latitude + "," + longitude), geohash) << by;
    ASSERT_EQ(RunSteps(steps, "POINT (" + longitude + " " + latitude + ")"), geohash) << by;
  }
  EXPECT_GT(vectors, 3000);
}

TEST(Geohash, ReadsPositionsAsTheyAreWritten) {
  for (const char* text : {"57.64911,10.40744", " 57.64911 , 10.40744 ", "5764911e-5,1040744e-5",
                           "POINT(10.40744 57.64911)", "point ( 10.40744  57.64911 )", "Point (10.40744 57.64911) "}) {
    EXPECT_EQ(RunSteps("| geohash 11", text), "u4pruydqqvj") << text;
  }
  EXPECT_EQ(RunSteps("| geohash 5", "-0,-0.0"), RunSteps("| geohash 5", "0,0"));
}

TEST(Geohash, RefusesOtherTexts) {
  for (const char* text : {"", "1", "1,", ",1", "1,2,3", "1;2", "NaN,1", "1,nan", "1 2", "POINT 1 2", "POINT (1,2)",
                           "POINT (1 2", "POINT (1 2 3)", "LINESTRING (1 2)", "POINT EMPTY", "u4pruydqq"}) {
    EXPECT_EQ(
        RunSteps("| geohash 5", text),
        "unmappable: \"" + std::string(text) + "\" is not a position like 39.9,116.4 (LAT,LON) or POINT (116.4 39.9)");
  }
  for (const char* text : {"90.0000001,0", "-91,0", "Infinity,0", "POINT (0 91)"}) {
    EXPECT_EQ(RunSteps("| geohash 5", text),
              "unmappable: \"" + std::string(text) + "\" has a latitude that is not from -90 to 90");
  }
  for (const char* text : {"0,180.0000001", "0,-181", "0,-Infinity", "POINT (181 0)"}) {
    EXPECT_EQ(RunSteps("| geohash 5", text),
              "unmappable: \"" + std::string(text) + "\" has a longitude that is not from -180 to 180");
  }
}

TEST(Geohash, HasOneToTwelveCharacters) {
  for (const char* steps : {"| geohash 0", "| geohash 13", "| geohash x"}) {
    std::string diagnostics;
    EXPECT_FALSE(CompileSteps(steps, &diagnostics));
    EXPECT_THAT(diagnostics, HasSubstr("'n' of 'geohash' must be a whole number from 1 to 12")) << steps;
  }
}

TEST(Geohash, OfAMiddleIsTheCell) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    std::string geohash(1 + random() % 12, ' ');
    for (char& c : geohash) c = kGeohashDigits[random() % 32];
    const Position middle = MiddleOf(*CellOf(geohash), static_cast<int>(geohash.size()));
    EXPECT_EQ(RunSteps("| geohash " + std::to_string(geohash.size()), PositionText(middle)), geohash);
  }
}

/// Positions as people have them, many at the poles, at the meridian 180 and at 0.
Position AnyPosition(std::mt19937_64* random) {
  const auto one = [random](double most) {
    const double spread = std::pow(10.0, -static_cast<double>((*random)() % 7));
    const double unit = std::uniform_real_distribution<double>(-1, 1)(*random);
    switch ((*random)() % 5) {
      case 0:
        return std::clamp(most - spread * std::abs(unit), -most, most);
      case 1:
        return std::clamp(-most + spread * std::abs(unit), -most, most);
      case 2:
        return spread * unit;
      case 3:
        return (*random)() % 2 == 0 ? most : -most;
      default:
        return most * unit;
    }
  };
  const double latitude = one(90);
  return {latitude, one(180)};
}

/// By vectors in space: no haversine.
long double MetresBetween(const Position& a, const Position& b) {
  const auto point = [](const Position& p) {
    const long double north = p.latitude * std::numbers::pi_v<long double> / 180;
    const long double east = p.longitude * std::numbers::pi_v<long double> / 180;
    return std::array{std::cos(north) * std::cos(east), std::cos(north) * std::sin(east), std::sin(north)};
  };
  const auto u = point(a), v = point(b);
  long double chord = 0, sum = 0;
  for (size_t i = 0; i < 3; ++i) {
    chord += (u[i] - v[i]) * (u[i] - v[i]);
    sum += (u[i] + v[i]) * (u[i] + v[i]);
  }
  return 2 * 6371008.8L * std::atan2(std::sqrt(chord), std::sqrt(sum));
}

struct Asked {
  std::string text;
  Area area;
  std::function<std::optional<bool>(const Position&)> holds;  // absent: too near to the border
};

Asked AnyCircle(std::mt19937_64* random) {
  const Position center = AnyPosition(random);
  const double metres = std::pow(10.0, std::uniform_real_distribution<double>(0, 7.4)(*random));
  const std::string at = PositionText(center), radius = RealText(metres) + "m";
  return {at + " " + radius, *Area::Near(at, radius), [=](const Position& position) -> std::optional<bool> {
            const long double distance = MetresBetween(center, position);
            // Near the other side of the earth the formula of doubles is good for centimetres only.
            if (std::abs(distance - metres) < 0.5) return std::nullopt;
            return distance < metres;
          }};
}

Asked AnyBox(std::mt19937_64* random) {
  const Position a = AnyPosition(random), b = AnyPosition(random);
  const double south = std::min(a.latitude, b.latitude), north = std::max(a.latitude, b.latitude);
  const double west = a.longitude, east = b.longitude;
  const std::string text = RealText(south) + "," + RealText(west) + "," + RealText(north) + "," + RealText(east);
  return {text, *Area::Box(text), [=](const Position& position) -> std::optional<bool> {
            if (position.latitude < south || position.latitude > north) return false;
            // Eastward from the west side; one meridian has two names.
            for (const double name : {position.longitude, -position.longitude}) {
              if (name != position.longitude && std::abs(name) != 180) continue;
              if (west <= east ? name >= west && name <= east : name >= west || name <= east) return true;
            }
            return false;
          }};
}

std::vector<std::string> RowsOf(const std::shared_ptr<const Index>& index, const Shelf& shelf, const Area& area) {
  const auto lookup = *PlanLookup(*index, {{}, "", "", area});
  EXPECT_LE(lookup->ranges().size(), Area::kMostRanges);
  EXPECT_FALSE(lookup->whole_cells());
  return shelf.Rows({{}, "", "", area});
}

TEST(Areas, AreFoundWholeAndNothingElse) {
  std::mt19937_64 random(11);
  int inside = 0, outside = 0;
  for (const int characters : {1, 4, 7, 9, 12}) {
    const std::string geohash = std::to_string(characters);
    const std::string more = characters == 4 ? ", 'f:n': 'x'" : "";
    const auto index =
        LoadIndex({"row: '{f:p | geohash " + geohash + "}{row}'", "columns: { 'f:p': '{f:p}'" + more + " }"});
    for (int world = 0; world < 5; ++world) {
      Shelf shelf(*index);
      std::map<std::string, Position> places;
      for (int i = 0; i < 40; ++i) {
        const Position position = AnyPosition(&random);
        const std::string text = PositionText(position), row = "r" + std::to_string(1000 + i);
        const VisibleCell cell{"f", "p", 1, text};
        shelf.Put({row, {&cell, 1}});
        places[GeohashOf(position, characters) + row] = position;
      }
      for (int i = 0; i < 40; ++i) {
        const Asked asked = i % 2 == 0 ? AnyCircle(&random) : AnyBox(&random);
        const std::vector<std::string> rows = RowsOf(index, shelf, asked.area);
        for (const auto& [row, position] : places) {
          const std::optional<bool> holds = asked.holds(position);
          if (!holds) continue;
          const bool found = std::find(rows.begin(), rows.end(), row) != rows.end();
          ASSERT_EQ(found, *holds) << asked.text << " at " << PositionText(position) << " with geohash " << characters;
          ++(*holds ? inside : outside);
        }
      }
    }
  }
  EXPECT_GT(inside, 5000);
  EXPECT_GT(outside, 5000);
}

std::vector<KeyRange> RangesOf(const std::string& row, LookupRequest request) {
  const auto index = LoadIndex({"row: '" + row + "'", "columns: { 'f:p': '{f:p}' }"});
  return (*PlanLookup(*index, std::move(request)))->ranges();
}

TEST(Areas, AreReadBehindEachSaltAndExactParts) {
  const Area area = *Area::Box("57.6,10.3,57.7,10.5");
  const auto plain = RangesOf("{f:p | geohash 5}{row}", {{}, "", "", area});
  const auto salted = RangesOf("{row | salt 4}{f:k | terminated}{f:p | geohash 5}{row}", {{"a"}, "", "", area});
  ASSERT_EQ(salted.size(), 4 * plain.size());
  for (size_t i = 0; i < salted.size(); ++i) {
    const std::string front = std::string(1, static_cast<char>(i / plain.size())) + std::string("a\0\0", 3);
    EXPECT_EQ(salted[i].start, front + plain[i % plain.size()].start);
    EXPECT_EQ(salted[i].stop, front + plain[i % plain.size()].stop);
  }
}

TEST(Areas, OfTheWholeEarthAreOneRange) {
  EXPECT_THAT(RangesOf("{f:p | geohash 7}{row}", {{}, "", "", *Area::Box("-90,-180,90,180")}),
              ElementsAre(KeyRange{"", ""}));
  EXPECT_THAT(RangesOf("{f:p | geohash 7}{row}", {{}, "", "", *Area::Near("12,34", "30000km")}),
              ElementsAre(KeyRange{"", ""}));
}

TEST(Areas, OfTwoColumnsAreJudgedByBoth) {
  const auto index = LoadIndex({"row: '{({f:a | f64 | plain},{f:o | f32 | plain}) | geohash 8}{row}'",
                                "columns: { 'f:a': '{f:a}', 'f:o': '{f:o}', 'f:n': 'x' }"});
  Shelf shelf(*index);
  Scratch scratch;
  const auto put = [&](const std::string& row, double latitude, float longitude) {
    const std::string a(scratch.KeepBigEndian(std::bit_cast<uint64_t>(latitude), 8));
    const std::string o(scratch.KeepBigEndian(std::bit_cast<uint32_t>(longitude), 4));
    const std::array<VisibleCell, 2> cells = {VisibleCell{"f", "a", 1, a}, VisibleCell{"f", "o", 1, o}};
    shelf.Put({row, cells});
  };
  put("x", 10, 20.5F);
  put("y", 10.0001, 20.5F);
  const auto near = [&](const char* radius) { return RowsOf(index, shelf, *Area::Near("10,20.5", radius)); };
  EXPECT_EQ(near("5m").size(), 3U);  // cells
  EXPECT_EQ(near("15m").size(), 6U);
  EXPECT_EQ(Entries(*index, "z", {"f:a=\\x40\\x24\\x00\\x00\\x00\\x00\\x00\\x00"}).size(), 0U);
}

TEST(Areas, WithoutThePositionAreAllOfTheirCells) {
  const auto index = LoadIndex({"row: '{f:p | geohash 5}{row}'", "columns: { 'f:n': '{f:n}' }", "requires: f:p"});
  Shelf shelf(*index);
  for (const auto& [row, position] : {std::pair("near", "10.01,20.01"), {"far", "10.011,20.011"}, {"off", "11,21"}}) {
    const std::array<VisibleCell, 2> cells = {VisibleCell{"f", "p", 1, position}, VisibleCell{"f", "n", 1, "x"}};
    shelf.Put({row, cells});
  }
  const LookupRequest request{{}, "", "", *Area::Near("10.01,20.01", "10m")};
  EXPECT_TRUE((*PlanLookup(*index, request))->whole_cells());
  EXPECT_EQ(shelf.Rows(request).size(), 2U);
}

// Each item has a position of its own. A column of all items tells of none of them.
TEST(Areas, OfItemsAreJudgedByEachEntryAlone) {
  const auto rows = [](const std::string& columns, const char* sides, bool* whole_cells) {
    const auto index = LoadIndex(
        {"row: '{({f:a},{item}) | geohash 4}{row}'", "each: '{f:o | split \";\"}'", "columns: { " + columns + " }"});
    Shelf shelf(*index);
    const std::array<VisibleCell, 2> cells = {VisibleCell{"f", "a", 1, "0.01"}, VisibleCell{"f", "o", 1, "0.01;0.03"}};
    shelf.Put({"bus", cells});
    const LookupRequest request{{}, "", "", *Area::Box(sides)};
    *whole_cells = (*PlanLookup(*index, request))->whole_cells();
    return shelf.Rows(request).size();
  };
  bool whole_cells = false;
  for (const char* sides : {"0,0,0.02,0.02", "0,0.02,0.02,0.04"}) {
    EXPECT_EQ(rows("'s:{item}': '{f:a}'", sides, &whole_cells), 1U) << sides;
    EXPECT_FALSE(whole_cells);
    EXPECT_EQ(rows("'s:{item}': '', 'f:a': '{f:a}'", sides, &whole_cells), 3U) << sides;
    EXPECT_TRUE(whole_cells);
    EXPECT_EQ(rows("'s:{item}': '{f:a}', 'f:n': '{f:n | default x}'", sides, &whole_cells), 2U) << sides;
    EXPECT_TRUE(whole_cells);
  }
}

TEST(Areas, OfPositionsWithADefaultAreOfWholeCells) {
  const auto index =
      LoadIndex({"row: '{f:p | default \"0,0\" | geohash 5}{row}'", "columns: { 'f:p': '{f:p}', 'f:n': '{f:n}' }"});
  EXPECT_TRUE((*PlanLookup(*index, {{}, "", "", *Area::Box("0,0,1,1")}))->whole_cells());
}

// The border of such a box is long, and all of it is one range.
TEST(Areas, CloseToTheEdgesOfTheEarthTakeFewSteps) {
  const std::clock_t begun = std::clock();  // processor time
  for (const std::string gap : {"1", "01", "001", "0001", "00001", "0000001", "000000001"}) {
    const std::string nines = std::string(gap.size(), '9');
    for (const std::string& sides :
         {"-90,-180,89." + nines + ",180", "-89." + nines + ",-180,89." + nines + ",180", "-90,-180,90,179." + nines,
          "-90,10,90,9." + nines, "-90,10." + gap + ",90,10", "-0." + gap + ",-180,90,180"}) {
      for (const int characters : {9, 12}) {
        EXPECT_LE(Area::Box(sides)->Cover(characters).size(), Area::kMostRanges) << sides;
      }
    }
  }
  EXPECT_LT(std::clock() - begun, 10 * CLOCKS_PER_SEC);
}

TEST(Areas, AreRefusedWithoutAGeohashAndAsOtherTexts) {
  const auto refused = [](const std::string& row, LookupRequest request) {
    const auto index = LoadIndex({"row: '" + row + "'", "columns: { 'f:p': '{f:p}' }"});
    const auto lookup = PlanLookup(*index, std::move(request));
    return lookup.ok() ? std::string() : lookup.status().message();
  };
  const Area area = *Area::Box("0,0,1,1");
  EXPECT_THAT(refused("{f:p}{row | fixed 3}", {{}, "", "", area}), HasSubstr("need a geohash after the given parts"));
  EXPECT_THAT(refused("{f:p | geohash 3}{row}", {{"1,1"}, "", "", area}), HasSubstr("need a geohash after"));
  EXPECT_THAT(refused("{f:p | geohash 3}{row}", {{}, "1", "", area}), HasSubstr("take the place of --from and --to"));
  for (const char* box : {"", "1,2,3", "1,2,3,4,5", "1,2,3,x", "2,0,1,0", "-91,0,0,0", "0,0,0,181", "NaN,0,0,0"}) {
    EXPECT_FALSE(Area::Box(box).ok()) << box;
  }
  for (const char* radius : {"", "5", "m", "km", "-1m", "5 mi", "NaNm", "Infinitym"}) {
    EXPECT_FALSE(Area::Near("1,1", radius).ok()) << radius;
  }
  EXPECT_FALSE(Area::Near("91,1", "5m").ok());
}

TEST(Joined, PartsAreOneValue) {
  const auto index =
      LoadIndex({"row: '{({f:a | lower}, \\x29{row}) | md5 | hex | first 4}{row}'",
                 "columns: { 'f:x': '{({f:a},{f:b@ts | decimal})}', 'f:y': '{({f:a}{f:b}) | default n}' }"});
  EXPECT_THAT(Entries(*index, "r", {"f:a=A", "f:b=c@7"}), ElementsAre("14aer f:x=A,7", "14aer f:y=Ac"));
  EXPECT_THAT(Entries(*index, "r", {"f:a=A"}), ElementsAre("14aer f:y=n"));
  EXPECT_THAT(Entries(*index, "r", {"f:b=c"}), ElementsAre());
}

TEST(Joined, PartsOfOneTextAreOnePartOfALookup) {
  const auto index = LoadIndex({"row: '{({f:a},{f:b}) | geohash 5}{({f:b},{f:a}) | geohash 5}{row}'",
                                "columns: { 'f:x': '' }", "requires: f:a"});
  EXPECT_THAT(KeyPartNames(*index), ElementsAre("({f:a},{f:b})", "({f:b},{f:a})", "row"));
  const std::vector<std::string> parts = {"10,20"};
  EXPECT_THAT(EncodeKey(*index, parts)->prefixes, ElementsAre(GeohashOf({10, 20}, 5)));
}

TEST(Joined, ValuesDoNotTellSourceRowsApart) {
  EXPECT_THAT(DiagnosticsOf({"row: '{({row})}'", "columns: { 'f:x': '{f:x}' }"}), HasSubstr("rows-collide"));
}

TEST(Joined, FaultsAreNamed) {
  const auto said = [](const std::string& part) {
    return DiagnosticsOf({"row: '" + part + "{row}'", "columns: { 'f:x': '{f:x}' }"});
  };
  EXPECT_THAT(said("{({f:a}"), HasSubstr("the parenthesis is not closed"));
  EXPECT_THAT(said("{({({f:a})}) | md5}"), HasSubstr("parentheses cannot stand inside parentheses"));
  EXPECT_THAT(said("{({f:a | i64}) | md5}"), HasSubstr("this part has the type integer, and a template needs bytes"));
  EXPECT_THAT(said("{({f:a | default x}) | md5}"), HasSubstr("'default' cannot stand inside parentheses"));
}

}  // namespace
}  // namespace fensi::mapping
