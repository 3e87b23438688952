// Tells by watermarks whether an index has followed its source, for a judge that finds an entry missing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/status.h"
#include "mapping/environment.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::operations {

struct MarkOptions {
  std::string meta_table = mapping::kDefaultMetaTable;
  std::chrono::milliseconds clock_skew{1000};  // maximum difference between the clocks of machines
  bool embedded = false;                       // an embedded store, which one process has alone
};

/// Reads the watermarks of the meta table, and refuses a clock of this machine that is behind them. Empty if no daemon
/// can be running: with an embedded store, or for an index that has not begun (`incarnation` is empty). The function
/// blocks on the store, which outlives it; one thread.
std::function<Result<bool>(int64_t)> FollowedByMarks(const mapping::Index& index, const std::string& incarnation,
                                                     store::Store* store, const MarkOptions& options);

}  // namespace fensi::operations
