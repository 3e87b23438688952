// What an index would cost, and which key would collect too much, as the rows of a sample show it. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mapping/index.h"
#include "mapping/starter/sample.h"

namespace fensi::mapping {

struct IndexCost {
  size_t rows = 0;          // of the sample
  size_t rows_indexed = 0;  // that give an entry
  size_t entries = 0;
  size_t most_of_a_row = 0;  // entries of one source row
  size_t bytes = 0;          // of the names and values of all entries
  std::string largest_key;   // that a reader may ask for: the first part of the row key
  size_t entries_of_largest = 0;
  size_t widest_row = 0;  // cells of the largest index row
};

IndexCost CostOf(const Index& index, const TableSample& sample);

/// For people, line by line; nothing when no row gives an entry.
std::vector<std::string> CostText(const Index& index, const IndexCost& cost);

/// "index x: key 'CN' would collect about 31 % of the entries, …"; empty: none surely collects more than one in a
/// hundred.
std::string SkewText(const Index& index, const IndexCost& cost);

}  // namespace fensi::mapping
