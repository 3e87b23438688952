// Estimates the cost of an index from sample rows, and which key would collect too many entries. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "mapping/hot_keys.h"
#include "mapping/index.h"
#include "mapping/starter/columns.h"

namespace fensi::mapping {

struct IndexCost {
  size_t rows = 0;          // of the sample
  size_t rows_indexed = 0;  // that give an entry
  size_t entries = 0;
  size_t most_of_a_row = 0;  // entries of one source row, at most
  size_t bytes = 0;          // of the names and values of all entries
  std::string largest_key;   // first part of the row key with the most entries
  size_t entries_of_largest = 0;
  std::optional<KeyShare> too_large;  // of the first parts
  size_t widest_row = 0;              // cells of the largest index row
};

IndexCost CostOf(const Index& index, const TableSample& sample);

/// For people, line by line; empty if no row gives an entry.
std::vector<std::string> CostText(const Index& index, const IndexCost& cost);

/// "index x: key 'CN' would collect about 31 % of the entries, …"; empty: none surely collects more than one in a
/// hundred.
std::string SkewText(const Index& index, const IndexCost& cost);

}  // namespace fensi::mapping
