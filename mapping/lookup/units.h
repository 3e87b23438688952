// What a number of the source counts, as far as some template of the index says so. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// Milliseconds in one of the numbers that a part is made of, behind its first `typed_at` steps: a template reads the
/// same numbers with `from_s` or `from_ms`.
std::optional<int64_t> UnitOf(const IndexDefinition& definition, const Part& part, size_t typed_at);

}  // namespace fensi::mapping
