// Numbers of which a cell tells something: the hour in the row key, the rest in the qualifier. Pure.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// Every number that, behind the first `begin` steps of a part, gives these bytes; perhaps others, too. Nothing: that
/// cannot be told.
std::optional<Numbers> NumbersThatGive(const Part& part, size_t begin, std::string_view bytes, Scratch* scratch);

/// From the least to the most of those that are in all. Nothing: there are none, or all of them have a cycle.
std::optional<Numbers> InAll(std::span<const Numbers> several);

}  // namespace fensi::mapping
