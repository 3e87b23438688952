// Which of the indexes that had a name in turn is compared. Blocks on the store.
#pragma once

#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// Empty: nobody has begun the index. kConfiguration: it was begun with another definition.
Result<std::string> IncarnationOf(const mapping::Index& index, store::Store* store);

/// kConfiguration: the index was made anew since it was `incarnation`, so that what was found says nothing of it.
Status CheckStillThe(const mapping::Index& index, const std::string& incarnation, store::Store* store);

}  // namespace fensi::cli
