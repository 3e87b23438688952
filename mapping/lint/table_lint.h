// Lint: rules about families, splits and prefixes.
#pragma once

#include "mapping/lint/findings.h"

namespace fensi::mapping {

void LintTable(Findings* findings);

}  // namespace fensi::mapping
