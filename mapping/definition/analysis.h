// What can be said about the keys of an index before any row is seen.
#pragma once

#include "mapping/definition/definition.h"

namespace fensi::mapping {

/// What has to be found again in an index cell, to know that two different ones never give the same cell.
enum class Origin { kRow, kBoundFamily, kBoundQualifier, kItem };

/// Can the parts of this template be told apart in its result? (At most one part of open width that does not end
/// itself.)
bool IsDecodable(const Template& program);
/// Is it certain where part i ends?
bool EndsItself(const Template& program, size_t i);

/// Bits by which the origin is known from the cell (row key and qualifier) of every column: 0 none, 1000 exactly,
/// between: a hash of so many bits.
constexpr int kExactly = 1000;
int KnownBits(const IndexDefinition& definition, Origin origin);

/// Do all templates that decide key and existence refer to nothing but these kinds?
struct KeyUse {
  bool columns = false;      // a value or time of a named column
  bool bound_value = false;  // value or ts of the bound column
  bool bound_name = false;   // family or qualifier of the bound column
  bool item = false;
  bool total = true;  // never absent or unmappable by what cells hold
};
/// Of row key, conditions and qualifiers.
KeyUse UseInKeys(const IndexDefinition& definition);
KeyUse UseInValues(const IndexDefinition& definition);

IndexClass Classify(const IndexDefinition& definition);
StateUnit UnitOf(const IndexDefinition& definition);

}  // namespace fensi::mapping
