// Which tables of an index with a table per period a reader needs for a span of time. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/lookup.h"
#include "mapping/lookup/bounds.h"

namespace fensi::mapping {

/// The names of all periods between the bounds of `definition.period`. kInvalidArgument: a bound is missing, the names
/// do not follow from the time, or there can be more than 10,000.
Result<std::vector<std::string>> TablesBetween(const IndexDefinition& definition, const Bounds& bounds,
                                               const LookupRequest& asked);

/// Could the template of a period table make this name?
bool MayBeMade(const Template& table, std::string_view name);

/// The same between two times (milliseconds), both included.
Result<std::vector<std::string>> TablesFrom(const IndexDefinition& definition, int64_t from_millis, int64_t to_millis);

}  // namespace fensi::mapping
