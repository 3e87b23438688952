// What a starter mapping is made from: a table's families and some of its rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"

namespace fensi::mapping {

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

}  // namespace fensi::mapping
