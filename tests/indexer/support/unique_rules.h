// Indexes whose keys belong to one source row at a time, and are handed from row to row.
#pragma once

#include <string>

#include "tests/indexer/support/rules.h"

namespace fensi::testing {

/// The value of one column is the key.
Rule UniqueKeyRule();
/// The values of several columns, below the names of their columns: a unit of state for each. Column x is none of them.
Rule UniqueColumnsRule(const std::string& name, const std::string& each);
/// Each item of a list.
Rule UniqueListRule();
/// In a table for the day of the cell, which is one of the first ones: at most 31.
Rule UniquePeriodRule(int days = 1);
/// The value of another column is in an entry.
Rule UniqueWithValueRule();
/// The key is there only if another column has one value.
Rule UniqueWhenRule();
/// The values of the columns k…; column x is in all entries.
Rule UniqueEachNamedRule();
/// The same, there only if column x has one value.
Rule UniqueEachWhenRule();

}  // namespace fensi::testing
