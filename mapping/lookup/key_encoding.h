// Encodes row keys for readers: from the parts that an application knows to the bytes that they determine. Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/entry_list.h"
#include "mapping/lookup.h"
#include "mapping/lookup/key_parts.h"

namespace fensi::mapping {

struct EncodedKey {
  /// For each part of the row template the bytes that the reader's parts determine; literals always are.
  std::vector<std::optional<std::string>> pieces;
  /// Prefixes of the keys; several if a salt is unknown.
  std::vector<std::string> prefixes;
  /// The first part of the template that is not in the prefixes; its size if they are whole row keys.
  size_t open = 0;
};

/// `given`: values of the first of `parts`. kInvalidArgument: too many, or one that the part cannot have.
Result<EncodedKey> EncodeParts(const Template& row, const std::vector<KeyPart>& parts,
                               std::span<const std::string> given);

/// More parts were given than the row key of the index has.
Status TooManyParts(const std::string& index, size_t given, size_t known);

// Decodes the source values in an index cell: reads the templates backwards. Pure.

/// What of a cell is decoded: row key and column, or its value, too.
enum class CellParts { kAll, kKey };

/// References whose values follow from row key, qualifier and value of the cell; every returned value gives these bytes
/// again. `parts`: those of the row template.
std::vector<KnownPart> DecodeCell(const IndexDefinition& definition, const std::vector<KeyPart>& parts,
                                  const Entry& cell, CellParts read);

/// All numbers that a part of the index may have read after this many steps, from the lowest to the highest.
std::optional<Numbers> DecodeNumber(const IndexDefinition& definition, const Part& part, size_t number_at,
                                    const Entry& cell);

}  // namespace fensi::mapping
