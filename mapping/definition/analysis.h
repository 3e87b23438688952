// What can be said about the keys of an index before any row is seen.
#pragma once

#include <optional>
#include <utility>

#include "mapping/definition/definition.h"
#include "mapping/state.h"

namespace fensi::mapping {

/// What has to be found again in an index cell, to know that two different ones never give the same cell.
enum class Origin { kRow, kBoundFamily, kBoundQualifier, kItem };

/// Is it certain where part i ends, for one who knows where it begins? (A fixed width, an end of its own, or a
/// separator that cannot occur in it.)
bool EndsItself(const Template& program, size_t i);
/// Can part i be found in what the template gives? From the front over parts that end themselves, or from the back over
/// parts of fixed width.
bool IsReadable(const Template& program, size_t i);
/// Can all parts of this template be told apart in its result?
bool IsDecodable(const Template& program);

/// Two columns that can give one cell for different origins, where each by itself tells them apart.
std::optional<std::pair<const ColumnRule*, const ColumnRule*>> ColumnsThatMeet(const IndexDefinition& definition,
                                                                               Origin origin);

/// Bits by which the origin is known from every cell (row key, family and qualifier), whichever column it belongs to: 0
/// none, 1000 exactly, between: a hash of so many bits.
constexpr int kExactly = 1000;
int KnownBits(const IndexDefinition& definition, Origin origin);

/// Do all templates that decide key and existence refer to nothing but these kinds?
struct KeyUse {
  bool columns = false;      // a value or time of a named column
  bool bound_value = false;  // value or ts of the bound column
  bool bound_name = false;   // family or qualifier of the bound column
  bool item = false;
};
/// Of row key, conditions and qualifiers.
KeyUse UseInKeys(const IndexDefinition& definition);
KeyUse UseInValues(const IndexDefinition& definition);

/// With `each:` over columns: two of one row may give one cell, and not the same value.
bool BoundColumnsCompete(const IndexDefinition& definition);

StateScope ScopeOf(const IndexDefinition& definition);

}  // namespace fensi::mapping
