// What `check` calls fit for a stateless index is what such an index can keep exact, and nothing else: each entry
// follows from one source cell, whatever the other cells of its row hold.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/bytes.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/mapping/random_mapping.h"

namespace fensi::mapping {
namespace {

using Cell = std::tuple<std::string, std::string, std::string, std::string>;
using Cells = std::set<Cell>;

void Add(const EntryList& entries, Cells* cells) {
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry entry = entries[i];
    cells->insert(
        {std::string(entry.row), std::string(entry.family), std::string(entry.qualifier), std::string(entry.value)});
  }
}

Cells Derived(const Index& index, const SourceRow& row) {
  EntryList entries;
  std::vector<Unmappable> problems;
  index.Derive({row.row, row.View()}, &entries, &problems);
  Cells cells;
  Add(entries, &cells);
  return cells;
}

/// As a stateless index keeps them: each source cell by itself.
Cells DerivedOneByOne(const Index& index, const SourceRow& row) {
  Cells cells;
  for (const SourceCell& cell : row.cells) {
    if (index.Watches(cell.family, cell.qualifier)) cells.merge(Derived(index, {row.row, {cell}}));
  }
  return cells;
}

/// Every entry of a cell stands at a place that the cell's name tells.
std::string EntryWithoutPlace(const Index& index, const SourceRow& row) {
  for (const SourceCell& cell : row.cells) {
    if (!index.Watches(cell.family, cell.qualifier)) continue;
    const VisibleCell name{.family = cell.family, .qualifier = cell.qualifier};
    EntryList list;
    index.DeriveIndexCells({row.row, {&name, 1}}, &list);
    Cells places;
    Add(list, &places);
    for (const auto& [key, family, qualifier, value] : Derived(index, {row.row, {cell}})) {
      if (!places.contains({key, family, qualifier, ""})) return "no place of " + Escape(key) + " " + Escape(qualifier);
    }
  }
  return "";
}

TEST(AcceptedMappings, ThatCanBeStatelessFollowOneSourceCellEach) {
  int fit = 0;
  ForEachAccepted(Runs(8000), [&fit](const Accepted& mapping, Dice* dice) -> std::string {
    const Index& index = *mapping.index;
    if (!index.stateless_obstacle().empty()) return "";
    ++fit;
    for (const SourceRow& row : RandomRows(dice, 30)) {
      if (Derived(index, row) != DerivedOneByOne(index, row)) return "row " + Escape(row.row) + ": cells differ";
      std::string wrong = EntryWithoutPlace(index, row);
      if (!wrong.empty()) return "row " + Escape(row.row) + ": " + wrong;
    }
    return "";
  });
  EXPECT_GT(fit, 100);
}

/// A step of each function, behind a cell (or its time) and in front of what makes bytes of it.
struct StepCase {
  const char* begin;
  const char* step;
  const char* end = "";
};

constexpr const char* kBytes = "f:a";
constexpr const char* kTime = "f:a@ts";
constexpr const char* kNumber = "f:a@ts | millis";
constexpr const char* kToBytes = " | ordered";

std::vector<StepCase> StepsOnBytes() {
  return {{kBytes, "first 3"},
          {kBytes, "last 3"},
          {kBytes, "slice 1 3"},
          {kBytes, "split \",\" 0"},
          {kBytes, "split \",\" 1"},
          {kBytes, "before #"},
          {kBytes, "after #"},
          {kBytes, "match /u(\\d+)/ 1"},
          {kBytes, "lower"},
          {kBytes, "upper"},
          {kBytes, "trim"},
          {kBytes, "replace - \"\""},
          {kBytes, "replace - \"--\""},
          {kBytes, "pad 5 0"},
          {kBytes, "fixed 3"},
          {kBytes, "pad 3 x | first 3 | fixed 3"},
          {kBytes, "reverse"},
          {kBytes, "reverse_domain"},
          {kBytes, "first 9 | terminated"},
          {kBytes, "without -"},
          {kBytes, "first 9 | hex | without -"},
          {kBytes, "int", kToBytes},
          {kBytes, "i64", kToBytes},
          {kBytes, "i32", kToBytes},
          {kBytes, "i16", kToBytes},
          {kBytes, "i8", kToBytes},
          {kBytes, "u64", kToBytes},
          {kBytes, "u32", kToBytes},
          {kBytes, "u16", kToBytes},
          {kBytes, "u8", kToBytes},
          {kBytes, "pad 4 x | first 4 | u32", kToBytes},
          {kBytes, "first 9 | hex"},
          {kBytes, "parse_time %Y-%m-%d", kToBytes},
          {kBytes, "md5"},
          {kBytes, "sha1"},
          {kBytes, "sha256"},
          {kBytes, "crc32"},
          {kBytes, "murmur3"},
          {kBytes, "xxh64"},
          {kBytes, "salt 16"},
          {kBytes, "json t.0"},
          {kBytes, "proto example.VisitorsInfo visitor.0.type"},
          {kBytes, "avro example.Order buyer.name"},
          {kBytes, "avro_framed 7 example.Order cents", kToBytes}};
}

/// The steps that read what other programs write.
std::vector<StepCase> StepsOnEncodings() {
  return {{kBytes, "f64", kToBytes},
          {kBytes, "f32", kToBytes},
          {kBytes, "f64_le", kToBytes},
          {kBytes, "f32_le", kToBytes},
          {kBytes, "real", kToBytes},
          {kBytes, "number", kToBytes},
          {kBytes, "big_decimal", kToBytes},
          {kBytes, "unscaled 2", kToBytes},
          {kBytes, "i64_le", kToBytes},
          {kBytes, "i32_le", kToBytes},
          {kBytes, "i16_le", kToBytes},
          {kBytes, "u64_le", kToBytes},
          {kBytes, "u32_le", kToBytes},
          {kBytes, "u16_le", kToBytes},
          {kBytes, "varint", kToBytes},
          {kBytes, "zigzag", kToBytes},
          {kBytes, "vlong", kToBytes},
          {kBytes, "iso_time", kToBytes},
          {kBytes, "iso_time \"+08:00\"", kToBytes},
          {kBytes, "ulid_time", kToBytes},
          {kBytes, "phoenix BIGINT", kToBytes},
          {kBytes, "phoenix DECIMAL", kToBytes},
          {kBytes, "ordered_bytes INT64", kToBytes},
          {kBytes, "uuid"},
          {kBytes, "uuid_text"},
          {kBytes, "ulid"},
          {kBytes, "ulid_text"},
          {kBytes, "ip"},
          {kBytes, "ip6"},
          {kBytes, "ip_text"},
          {kBytes, "unhex"},
          {kBytes, "base64"},
          {kBytes, "base64url"},
          {kBytes, "unbase64"},
          {kBytes, "first 9 | mask 8"},
          {kBytes, "mask 8"},
          {kBytes, "invert"},
          {kBytes, "url host"},
          {kBytes, "geohash 7"},
          {kBytes, "phoenix VARCHAR"},
          {kBytes, "phoenix_key \"BIGINT, VARCHAR\" 0"},
          {kBytes, "ordered_bytes STRING"},
          {kBytes, "ordered_field 0"},
          {kBytes, "lower_unicode"},
          {kBytes, "upper_unicode"},
          {kBytes, "fold"},
          {kBytes, "nfc"},
          {kBytes, "nfkc"},
          {kBytes, "collate de"},
          {kBytes, "json_text t"},
          {kBytes, "real | to_f64"},
          {kBytes, "real | to_f32"},
          {kBytes, "number | plain"},
          {kBytes, "real | plain"}};
}

std::vector<StepCase> StepsOnNumbers() {
  return {{kNumber, "to_be 3"},
          {kNumber, "to_be 8"},
          {kNumber, "ordered 2"},
          {kNumber, "ordered"},
          {kNumber, "decimal 5"},
          {kNumber, "decimal"},
          {kNumber, "add 5", kToBytes},
          {kNumber, "add 0", kToBytes},
          {kNumber, "sub 5", kToBytes},
          {kNumber, "mul 16", kToBytes},
          {kNumber, "mul 1", kToBytes},
          {kNumber, "mul \"-1\"", kToBytes},
          {kNumber, "div 10", kToBytes},
          {kNumber, "mod 10", kToBytes},
          {kNumber, "floor 3600", kToBytes},
          {kNumber, "descending", kToBytes},
          {kNumber, "mod 10 | descending", kToBytes},
          {kNumber, "from_ms", kToBytes},
          {kNumber, "from_s", kToBytes},
          {kNumber, "from_us", kToBytes},
          {kNumber, "from_ns", kToBytes},
          {kNumber, "from_days", kToBytes},
          {kNumber, "snowflake 9223372036854775000", kToBytes},
          {kNumber, "div 1000 | from_s", kToBytes},
          {kTime, "time %Y%m%d"},
          {kTime, "seconds", kToBytes},
          {kTime, "millis", kToBytes},
          {kTime, "floor_hour", kToBytes},
          {kTime, "floor_day", kToBytes}};
}

std::string TextOf(const StepCase& one) { return std::string("{") + one.begin + " | " + one.step + one.end + "}"; }

std::shared_ptr<const Index> BesideASureColumn(const StepCase& one) {
  return LoadText(
      "source: t\nprotos: [visitors.proto]\navros: [orders.avsc]\nindexes:\n  x:\n    table: x_table\n    row: "
      "'{row}'\n    columns:\n" +
      ("      'f:x': '" + TextOf(one) + "'\n      'f:y': '{f:b}'\n"));
}

/// What makes one of the functions refuse.
std::vector<SourceCell> CellsToTry(const StepCase& one) {
  std::vector<SourceCell> cells;
  const std::vector<std::string> values = {
      "", "x", "a-b", "7", "2016-12-19", std::string(8, '\xff'), "{\"t\": [\"a\"]}"};
  for (const std::string& value : values) cells.push_back({"f", "a", value, 1});
  for (const int64_t time : {int64_t{1'482'125'382'074}, int64_t{0}, int64_t{-1}, INT64_MIN, INT64_MAX}) {
    cells.push_back({"f", "a", "", time});
  }
  const std::string step = one.step;
  const bool refuses_long = step.starts_with("match") || step.starts_with("replace");
  if (refuses_long) cells.push_back({"f", "a", std::string(17 << 20, '-'), 1});
  return cells;
}

/// Does a column lose its cell because of what the other one's source cell holds?
bool SureColumnIsLost(const Index& index, const StepCase& one) {
  const std::vector<SourceCell> cells = CellsToTry(one);
  return std::any_of(cells.begin(), cells.end(), [&index](const SourceCell& a) {
    const Cells entries = Derived(index, {"r", {a, {"f", "b", "sure", 1}}});
    return !entries.contains({"r", "f", "y", "sure"});
  });
}

TEST(StatelessIndexes, ArePossibleWhereNoValueOfAColumnTakesAnotherColumnAway) {
  std::set<std::string> tried;
  std::vector<StepCase> cases = StepsOnBytes();
  for (const StepCase& one : StepsOnEncodings()) cases.push_back(one);
  for (const StepCase& one : StepsOnNumbers()) cases.push_back(one);
  for (const StepCase& one : cases) {
    const std::string step = one.step;
    const size_t last = step.rfind(" | ") == std::string::npos ? 0 : step.rfind(" | ") + 3;
    tried.insert(step.substr(last, step.find(' ', last) - last));
    const auto index = BesideASureColumn(one);
    ASSERT_NE(index, nullptr) << TextOf(one);
    EXPECT_EQ(index->stateless_obstacle().empty(), !SureColumnIsLost(*index, one))
        << TextOf(one) << index->stateless_obstacle();
  }
  tried.insert({"json_list", "phoenix_array"});  // a list is no value
  for (const Function& function : Functions()) EXPECT_TRUE(tried.contains(std::string(function.name))) << function.name;
}

}  // namespace
}  // namespace fensi::mapping
