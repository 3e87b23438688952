// Guesses which qualifiers of a table are names, whose values are the data, and which are data themselves. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "mapping/starter/values.h"

namespace fensi::mapping {

/// The input of a starter mapping: a table's families and some of its rows.
struct SampleFamily {
  std::string name;
  std::optional<int32_t> ttl_seconds;
};

struct SampleRow {
  std::string row;
  std::vector<Cell> cells;  // visible ones
};

struct TableSample {
  std::string table;
  std::vector<SampleFamily> families;
  std::vector<SampleRow> rows;
};

// Guesses the columns of a table.

/// A column that many rows have.
struct ColumnGuess {
  std::string family, qualifier;
  size_t rows = 0;  // that have it
  ValuesGuess values;
  std::string steps = {};  // to a field of a JSON document: " | json user.city"
  std::string field = {};  // its names: "user.city"
  bool items = false;      // the values are the items of a list: one entry for each
};

/// Columns whose qualifiers are data: one for each follower, day, tag.
struct WideGuess {
  std::string family;
  std::string prefix;  // of all these qualifiers, for example "tag_"
  size_t rows = 0;
  ValuesGuess names;  // without the prefix
  ValuesGuess values;
};

struct FamilyGuess {
  std::vector<ColumnGuess> columns;
  std::optional<WideGuess> wide;
};

/// For one family; columns in the order of their qualifiers.
FamilyGuess GuessFamily(const TableSample& sample, const std::string& family);

}  // namespace fensi::mapping
