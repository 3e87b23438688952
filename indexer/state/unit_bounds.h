// What the state of one unit may take, and what is left out of it: first what nothing can need any more, then, above
// the bound, what is needed least.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "indexer/state/unit.h"

namespace fensi::indexer {

/// HBase takes no cell above 10 MiB, and a unit's registers are one cell; so is what was read of it in doubt.
constexpr size_t kMaxUnitBytes = size_t{9} << 20;

/// About what the unit takes as a state cell.
size_t StateBytes(const Unit& unit);

/// Forgets the columns of which every register lies at or below their family's marker: the marker alone hides whatever
/// is still told of that time, and what is younger supersedes them anyway. But not what has a TTL of its own: the
/// source may show it again, and does not tell its end.
void Prune(const FamilyStates& families, Unit* unit);

/// Makes a unit above the bound small again. Columns that are deleted go first, the longest deleted before the others;
/// a late put of such a column is recognised by Unit::forgotten. Then older versions, then the largest values, then
/// whole columns. Answers a sentence for each visible cell that the row loses by it.
std::vector<std::string> Fit(Unit* unit);

}  // namespace fensi::indexer
