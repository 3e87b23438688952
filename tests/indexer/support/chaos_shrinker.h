// The smallest history that is still wrong.
#pragma once

#include <functional>

#include "tests/indexer/support/chaos_history.h"

namespace fensi::testing {

/// Takes out of a history that `fails` all that it fails without. Calls `fails` at most so many times.
ChaosHistory Shrunk(ChaosHistory history, int most_tries, const std::function<bool(const ChaosHistory&)>& fails);

}  // namespace fensi::testing
