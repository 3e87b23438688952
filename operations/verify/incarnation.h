// Tells which index of a name is compared. Blocks on the store.
#pragma once

#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::operations {

/// Empty: the index has not begun. kConfiguration: it was begun with another definition.
Result<std::string> IncarnationOf(const mapping::Index& index, store::Store* store);

/// kConfiguration: the index was dropped or created again since it was `incarnation`, so that what was found says
/// nothing of it.
Status CheckStillThe(const mapping::Index& index, const std::string& incarnation, store::Store* store);

}  // namespace fensi::operations
