// Whether an index can be a mirror: each of its cells follows one source cell, its mother, whose name alone says where
// it stands.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// Why it cannot, for people; empty: it can.
std::string MirrorObstacle(const IndexDefinition& definition);

/// Of one that can: the column of the source that this column of the index follows; nothing: the one that `each:`
/// binds.
std::optional<size_t> MotherSlot(const IndexDefinition& definition, size_t column);

/// Of one that can: do value or existence of an entry depend on what its mother holds?
bool MirrorsValues(const IndexDefinition& definition);

}  // namespace fensi::mapping
