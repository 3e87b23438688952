// Sets of integers that agree with what a cell shows. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "mapping/definition/definition.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

// The unit of a number of the source, as far as some template of the index determines it. Pure.

/// Milliseconds in one of the numbers of a part, after its first `typed_at` steps: a template reads the same numbers
/// with `from_s` or `from_ms`.
std::optional<int64_t> UnitOf(const IndexDefinition& definition, const Part& part, size_t typed_at);

// Sets of integers that agree with what a cell shows. Pure.

/// Every number that, after the first `begin` steps of a part, gives these bytes; perhaps others, too. Absent: unknown.
std::optional<Numbers> NumbersThatGive(const Part& part, size_t begin, std::string_view bytes, Scratch* scratch);

/// The range of the numbers that are in all sets. Absent: there are none, or all sets have a cycle.
std::optional<Numbers> InAll(std::span<const Numbers> several);

}  // namespace fensi::mapping
