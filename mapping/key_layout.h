// Describes the row keys of an index for people.
#pragma once

#include <string>
#include <vector>

#include "mapping/index.h"

namespace fensi::mapping {

/// One line per part with its width and order, then what holds for the whole.
std::vector<std::string> KeyLayout(const Index& index);

}  // namespace fensi::mapping
