// A put on its way into a register, in a few words.
#pragma once

#include <cstdint>
#include <string_view>

#include "indexer/state/registers.h"

namespace fensi::testing {

inline indexer::IncomingPut PutAt(int64_t timestamp, uint64_t sequence_id = 0, std::string_view value = "v",
                                  int64_t expires_at = INT64_MAX) {
  return {.timestamp = timestamp, .sequence_id = sequence_id, .expires_at = expires_at, .value = value};
}

}  // namespace fensi::testing
