// `when:` of an index.
#pragma once

#include <vector>

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// Null: no conditions.
std::vector<Condition> ReadConditions(const Node* node, TemplateCompiler* compiler, Reporter* reporter);

}  // namespace fensi::mapping
