// A test program whose allocations fail when the test says so. Link the target `scarce_memory`.
#pragma once

#include <cstddef>

namespace fensi::testing {

/// The test defines it. True: an allocation of this many bytes throws std::bad_alloc. Called on any thread; must not
/// allocate.
bool LacksMemory(std::size_t bytes);

}  // namespace fensi::testing
