// A first mapping file for a table: what its rows show, the index it most likely wants, others as comments, and a test.
//
// Pure, slow, any thread. The text is always a legal mapping; what it proposes is a guess.
#pragma once

#include <string>

#include "mapping/starter/sample.h"

namespace fensi::mapping {

/// `sample` has at least one family.
std::string StarterText(const TableSample& sample);

}  // namespace fensi::mapping
