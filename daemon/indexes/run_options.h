// The options of a `fensi run` process.
#pragma once

#include <chrono>
#include <cstdint>

#include "daemon/indexes/memory.h"
#include "daemon/sources/start_check.h"

namespace fensi::daemon {

struct RunOptions {
  StartOptions start;                          // source and store
  int workers = 4;                             // worker threads, per index
  int connections = 4;                         // to the store, per index
  MemoryOptions memory;                        // of queues and caches
  std::chrono::milliseconds clock_skew{1000};  // maximum difference between the clocks of machines
  int64_t scrub_rows_per_second = 0;           // bound of compared rows per second; 0: no scrub
  bool scrub_repair = false;                   // sends repair requests for findings
  bool drop_expired = false;                   // drops expired period tables
  bool meta_table_given = false;               // given by a person, so the meta table must exist
};

}  // namespace fensi::daemon
