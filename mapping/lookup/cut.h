// The bytes that a template made, cut into those of its parts. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// One for each part; without a value where it cannot be told where the part begins or ends.
using Pieces = std::vector<std::optional<std::string_view>>;

/// Every part that IsReadable has its piece. Nothing: these bytes were not made by the template.
std::optional<Pieces> Cut(const Template& program, std::string_view bytes);

}  // namespace fensi::mapping
