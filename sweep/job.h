// A job that goes through a table, as it stands on its board. Plain values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fensi::sweep {

struct RowRange {
  std::string start;       // inclusive; empty: the first
  std::string stop;        // exclusive; empty: to the end
  std::string table = {};  // empty: the one that the job goes through
  bool operator==(const RowRange&) const = default;
};

enum class Wish { kRun, kPause, kCancel };

struct JobPace {
  Wish wish = Wish::kRun;
  int64_t rows_per_second = 0;   // 0: no bound
  int64_t bytes_per_second = 0;  // 0: no bound
};

struct Job {
  std::string name;  // random
  int64_t made_at = 0;
  std::string arguments;  // one line: who brings others means another job
  JobPace pace;
  int64_t ended_at = 0;  // 0: not yet
  std::string losses;    // of requests, before it was made (indexer/owner_progress.h)
};

/// How far a range is.
struct Place {
  std::string next;  // rows before it are done with
  int64_t rows = 0;
  int64_t bytes = 0;
  bool done = false;
  std::vector<int64_t> counts = {};  // of what a job counts besides; all that it has of the range
};

}  // namespace fensi::sweep
