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
/// In a table for the day of the cell, which is the first one.
Rule UniquePeriodRule();

}  // namespace fensi::testing
