// Explains for people why a source row has its entries: every template, part by part, as it was evaluated.
#pragma once

#include <string>
#include <vector>

#include "mapping/index.h"

namespace fensi::mapping {

/// How the templates of one unit were evaluated, step by step, and why there is no entry. Pure; slow.
std::vector<std::string> Explain(const Index& index, const RowView& row);

}  // namespace fensi::mapping
