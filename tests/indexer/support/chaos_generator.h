// Random histories of chaos.
#pragma once

#include <cstdint>

#include "tests/indexer/support/chaos_history.h"

namespace fensi::testing {

enum class ChaosShape {
  kMixed,    // everything at once
  kBacklog,  // the source is ahead of all; attempts at the whole log die, and single events follow
  kLong,     // mixed, with hundreds of events
};
constexpr const char* kChaosShapeNames[] = {"mixed", "backlog", "long"};

/// The same for the same seed. docs/consistency.md promises a right index, if what is applied again does not make the
/// margin of a key too small (ChaosLaw::Promises).
ChaosHistory SomeChaos(uint64_t seed, const ChaosKind& kind, ChaosShape shape);

}  // namespace fensi::testing
