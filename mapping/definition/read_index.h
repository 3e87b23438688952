// One entry under `indexes:`.
#pragma once

#include <optional>

#include "mapping/definition/definition.h"
#include "mapping/definition/names.h"

namespace fensi::mapping {

/// Nothing when something was reported.
std::optional<IndexDefinition> ReadIndex(const Node::Field& field, const std::string& source_table,
                                         const std::string& topic, const Outside& outside, NameRegistry* names,
                                         Reporter* reporter);

}  // namespace fensi::mapping
