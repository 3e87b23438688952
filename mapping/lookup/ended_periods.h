// Which tables of an index with a table per period are of a time that is over. Pure.
//
// The danger is a wrong yes: a table that is called over is dropped. So a name counts only if the template itself makes
// it, byte by byte, for a time before the bound and for none behind it. What cannot be told stays.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/lookup.h"

namespace fensi::mapping {

/// As EndedPeriods of mapping/lookup.h.
Result<std::vector<EndedPeriod>> PeriodsBefore(const IndexDefinition& definition,
                                               const std::vector<std::string>& tables, int64_t from_millis,
                                               int64_t to_millis);

}  // namespace fensi::mapping
