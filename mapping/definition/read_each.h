// `each:` of an index.
#pragma once

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// Reads `each:`; must come before any template of the index is compiled. Null: no `each:`.
Each ReadEach(const Node* node, TemplateCompiler* compiler, Reporter* reporter);

}  // namespace fensi::mapping
