// What the connections of a store do. Thread-safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace fensi::store {

struct ConnectionCounts {
  std::atomic<int64_t> made = 0;  // ever
  std::atomic<int64_t> open = 0;
  std::atomic<int64_t> busy = 0;  // at work for a caller, or making themselves for one
};

}  // namespace fensi::store
