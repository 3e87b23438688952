// What an index cell tells of the source: the templates read backwards. Pure.
#pragma once

#include <optional>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/entry_list.h"
#include "mapping/lookup.h"
#include "mapping/lookup/key_parts.h"

namespace fensi::mapping {

/// What of a cell is read: row key and column, or its value, too.
enum class CellParts { kAll, kKey };

/// References whose values follow from row key, qualifier and value of the cell; every value shown gives these bytes
/// again. `parts`: those of the row template.
std::vector<KnownPart> DecodeCell(const IndexDefinition& definition, const std::vector<KeyPart>& parts,
                                  const Entry& cell, CellParts read);

/// All numbers that a part of the index may have read behind so many steps, from the least to the most.
std::optional<Numbers> DecodeNumber(const IndexDefinition& definition, const Part& part, size_t number_at,
                                    const Entry& cell);

}  // namespace fensi::mapping
