// A world whose index began with states and is moved to the stateless index that its rule says.
#pragma once

#include <functional>
#include <memory>

#include "base/status.h"
#include "mapping/index.h"
#include "store/store.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {

/// The index as its mapping said before.
std::shared_ptr<const mapping::Index> WithStates(const Rule& rule);

/// The index begins, with states as the world's owners keep them from now on.
void BeginWithStates(World* world);

inline Status Nobody() { return {}; }

/// Through a store, or the world's own. When it is moved, owners keep a stateless index. Times of tests are small
/// numbers: without an `ahead` nothing that is told afterwards would lie above the floor.
Status Move(World* world, store::Store* through = nullptr, const std::function<Status()>& nobody_runs = Nobody,
            int64_t ahead = 1);

}  // namespace fensi::testing
