// A case under `tests:` of a mapping file: changes, and what the indexes must hold after them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "mapping/area.h"

namespace fensi::mapping {

struct ExpectedCell {
  std::string table;
  std::string row;
  std::string family;
  std::string qualifier;
  std::string value;
  auto operator<=>(const ExpectedCell&) const = default;
};

struct TestCase {
  /// The whole content of one index; an index that no expectation names is not checked.
  struct Expectation {
    std::string index;
    std::vector<ExpectedCell> cells;
  };

  /// The expected answer for a reader who gives the first parts of the row key.
  struct Lookup {
    std::string index;
    int line = 0;
    std::vector<std::string> parts;
    std::string from, to;  // of the next part; empty: no bound
    std::optional<Area> area = {};
    std::vector<std::string> rows;  // row keys, sorted
  };

  std::string name;
  int line = 0;                    // of the file, from 1
  std::vector<ChangeEvent> given;  // in the order of the file, which is also that of their sequence ids
  std::vector<Expectation> expect;
  std::vector<Lookup> lookups;
  std::optional<int64_t> dead_letters;  // of all indexes together
};

}  // namespace fensi::mapping
