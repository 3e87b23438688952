// Describes what an index does, for `fensi check`. Pure.
#pragma once

#include <string>

#include "mapping/index.h"
#include "mapping/mapping.h"

namespace fensi::operations {

/// For people: its tables, its class, the state it keeps, what an event costs at most, and how it is read. Several
/// lines.
std::string IndexSummary(const mapping::Index& index);

/// The same as one object; `mapping` has the index.
std::string IndexSummaryJson(const mapping::Mapping& mapping, const mapping::Index& index);

}  // namespace fensi::operations
