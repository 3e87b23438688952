// What an index cell tells of the source: the templates read backwards. Pure.
#pragma once

#include <optional>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/entry_list.h"
#include "mapping/lookup.h"
#include "mapping/reading/key_parts.h"

namespace fensi::mapping {

/// References whose values follow from row key, qualifier and value of the cell; every value shown gives these bytes
/// again. `parts`: those of the row template.
std::vector<KnownPart> DecodeCell(const IndexDefinition& definition, const std::vector<KeyPart>& parts,
                                  const Entry& cell);

}  // namespace fensi::mapping
