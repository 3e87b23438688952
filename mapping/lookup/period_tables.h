// Finds the period tables of an index for a span of time. Pure.
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

/// True if the template of a period table could make this name.
bool MayBeMade(const Template& table, std::string_view name);

/// The same between two times (milliseconds), both included.
Result<std::vector<std::string>> TablesFrom(const IndexDefinition& definition, int64_t from_millis, int64_t to_millis);

// Finds the period tables of an index whose time is over. Pure.
//
// A wrong result would drop a table that is needed. So a name counts only if the template itself makes it, byte by
// byte, for a time before the bound and for none after it. Doubtful tables stay.

/// As EndedPeriods of mapping/lookup.h.
Result<std::vector<EndedPeriod>> PeriodsBefore(const IndexDefinition& definition,
                                               const std::vector<std::string>& tables, int64_t from_millis,
                                               int64_t to_millis);

}  // namespace fensi::mapping
