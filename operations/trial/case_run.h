// Runs one case under `tests:` of a mapping file. Blocks; one thread.
#pragma once

#include <string>

#include "base/status.h"
#include "mapping/mapping.h"

namespace fensi::operations {

/// The differences from what the case expects, as lines for a person; empty: the case passes.
Result<std::string> RunCase(const mapping::Mapping& mapping, const mapping::TestCase& test);

}  // namespace fensi::operations
