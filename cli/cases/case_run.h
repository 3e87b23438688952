// One case under `tests:` of a mapping file, run. Blocks; one thread.
#pragma once

#include <string>

#include "base/status.h"
#include "mapping/mapping.h"

namespace fensi::cli {

/// What differs from what the case expects, as lines for a person; empty: the case holds.
Result<std::string> RunCase(const mapping::Mapping& mapping, const mapping::TestCase& test);

}  // namespace fensi::cli
