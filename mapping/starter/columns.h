// Which qualifiers of a table are names, whose values are the data, and which are data themselves. Pure guessing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/starter/sample.h"
#include "mapping/starter/values.h"

namespace fensi::mapping {

/// A column that many rows have.
struct ColumnGuess {
  std::string family, qualifier;
  size_t rows = 0;  // that have it
  ValuesGuess values;
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

/// Of one family; columns in the order of their qualifiers.
FamilyGuess GuessFamily(const TableSample& sample, const std::string& family);

}  // namespace fensi::mapping
