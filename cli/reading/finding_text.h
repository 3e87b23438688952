// What a comparison found, for people. Pure.
#pragma once

#include <string>

#include "sweep/finding.h"

namespace fensi::cli {

/// A line.
std::string TextOfFinding(const sweep::Finding& finding);

}  // namespace fensi::cli
