// Random histories within what docs/consistency.md promises.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "tests/indexer/model/model_history.h"

namespace fensi::testing {

struct ModelWish {
  std::string kind;  // empty: any
  int ttl = -1;      // 0: no TTL anywhere; -1: at random
  int most_events = 12;
  int rows = 3;
  bool backlog = false;  // thousands of events in one batch
  int unrest = 25;       // percent of events after which something else happens: a compaction, a restart, a repetition
  /// For a clock that nobody moves: times and TTLs are divided by this. A conversion needs a TTL of more than a minute.
  int hurry = 1;
};

/// The same for the same seed.
ModelHistory SomeModelHistory(uint64_t seed, const ModelWish& wish);

/// Takes out of a history that fails all that it fails without.
ModelHistory Shrunk(ModelHistory history, const std::function<bool(const ModelHistory&)>& fails);

}  // namespace fensi::testing
