// Lint: rules about the row key.
#pragma once

#include "mapping/lint/findings.h"

namespace fensi::mapping {

void LintKey(Findings* findings);

}  // namespace fensi::mapping
