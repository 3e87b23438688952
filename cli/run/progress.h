// How far the indexes are: drawn over itself when stderr is a terminal, else one line every 10 s. One thread.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/words.h"
#include "cli/run/index_job.h"

namespace fensi::cli {

using Jobs = std::vector<std::unique_ptr<IndexJob>>;

/// "index fensi: 948,464 events in 12 s (79,038/s): 948,464 puts, 0 deletes, …"
std::string SummaryText(const std::string& index, const indexer::Counters& counts, std::chrono::milliseconds passed);

class ProgressReport {
 public:
  ProgressReport(const Jobs& jobs, bool terminal, Clock* clock);

  /// Call it often; it says something when it is time to.
  void Tick();
  /// What one index did, when it has ended.
  std::string Summary(const IndexJob& job) const;

 private:
  struct Rate {
    int64_t records = 0;    // at the last line
    double per_second = 0;  // smoothed
  };

  Words Line(size_t job);

  const Jobs& jobs_;
  const bool terminal_;
  Clock* const clock_;
  const std::chrono::milliseconds start_;
  std::chrono::milliseconds last_;
  std::vector<Rate> rates_;
};

}  // namespace fensi::cli
