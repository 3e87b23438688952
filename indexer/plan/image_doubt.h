// M15: when an image of a source row leaves open what the source shows. Pure.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "indexer/state/unit.h"

namespace fensi::indexer {

using ColumnNames = std::vector<std::pair<std::string, std::string>>;  // family and qualifier, sorted

ColumnNames NamesOf(const Visible& visible);

/// `image`: its cells of the unit. `shown`: the columns that the registers showed before it. `now`: what they show
/// since. True: a column was lost by it, for an image alone never removes; or they show something else than the image,
/// which only one that shows all of the unit can tell (`whole`).
bool ImageLeavesDoubt(std::span<const Cell* const> image, bool whole, const ColumnNames& shown, const Visible& now,
                      const Unit& unit);

}  // namespace fensi::indexer
