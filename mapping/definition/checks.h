// What makes a well-formed index wrong all the same.
#pragma once

#include "mapping/definition/definition.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Reports indexes that could not be kept exact: entries without a reason to exist, cells of several source rows.
void CheckMeaning(const IndexDefinition& definition, const Node::Field& field, Reporter* reporter);

}  // namespace fensi::mapping
