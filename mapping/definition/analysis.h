// Analyses the keys of an index before any row is known.
#pragma once

#include <optional>
#include <utility>

#include "mapping/definition/definition.h"
#include "mapping/source_row.h"

namespace fensi::mapping {

/// What must be readable from an index cell, to know that two different sources never give the same cell.
enum class Origin { kRow, kBoundFamily, kBoundQualifier, kItem };

/// True if the end of part i is certain once its beginning is known (a fixed width, an end of its own, or a separator
/// that cannot occur in it).
bool EndsItself(const Template& program, size_t i);
/// True if part i can be found in the result of the template: from the front over parts that end themselves, or from
/// the back over parts of fixed width.
bool IsReadable(const Template& program, size_t i);
/// True if all parts of this template can be read from its result.
bool IsDecodable(const Template& program);

/// Two columns that can give one cell for different origins, although each by itself distinguishes them.
std::optional<std::pair<const ColumnRule*, const ColumnRule*>> ColumnsThatMeet(const IndexDefinition& definition,
                                                                               Origin origin);

/// Bits of the origin that every cell determines (row key, family and qualifier), whichever column it belongs to: 0
/// none, 1000 exactly, between: a hash of so many bits.
constexpr int kExactly = 1000;
constexpr int kEnoughBits = 64;  // of a hash that tells origins apart
int KnownBits(const IndexDefinition& definition, Origin origin);

/// True if all templates that decide key and existence refer only to these kinds.
struct KeyUse {
  bool columns = false;      // a value or time of a named column
  bool bound_value = false;  // value or ts of the bound column
  bool bound_name = false;   // family or qualifier of the bound column
  bool item = false;
};
/// For row key, conditions and qualifiers.
KeyUse UseInKeys(const IndexDefinition& definition);
KeyUse UseInValues(const IndexDefinition& definition);

/// With `each:` over columns: two columns of one row may give one cell.
bool BoundColumnsMeet(const IndexDefinition& definition);
/// The same with different values.
bool BoundColumnsCompete(const IndexDefinition& definition);

StateScope ScopeOf(const IndexDefinition& definition);

}  // namespace fensi::mapping
