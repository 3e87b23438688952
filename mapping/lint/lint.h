// What an experienced hand would say about an index that is otherwise right: rules of the field about keys, families
// and splits, as far as they can be seen in the file alone.
#pragma once

#include "mapping/definition/definition.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Reports errors, and warnings that the index does not `allow:`.
void Lint(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter);

}  // namespace fensi::mapping
