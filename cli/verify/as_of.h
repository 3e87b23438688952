// `--as_of`: the moment of which an index is compared with its source. Blocks on the store.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

/// kInvalidArgument: it is neither `mark` nor a time.
Status CheckAsOf();

/// Milliseconds since the epoch: what is younger is left out; INT64_MAX where nothing is. kConfiguration: `mark` was
/// asked for, and the index of this incarnation has none.
Result<int64_t> AskedAsOf(const mapping::Index& index, const std::string& incarnation, store::Store* store);

}  // namespace fensi::cli
