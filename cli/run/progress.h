// How far the indexes are: drawn over itself when stderr is a terminal, else one line every 10 s. One thread.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/clock.h"
#include "base/words.h"
#include "cli/run/index_run_list.h"
#include "mapping/index.h"

namespace fensi::cli {

/// "index fensi: 948,464 events in 12 s (79,038/s): 948,464 puts, 0 deletes, …"
std::string SummaryText(const std::string& index, const indexer::Counters& counts, std::chrono::milliseconds passed);

/// There were events of files, and none of them is of the index's table. Of a topic it is not known: marks are skipped,
/// too.
bool IsOfOtherTables(const indexer::Counters& counts);

/// "; none of them has a cell that the index watches (f1:from)", or nothing. Of no event the state of a unit was
/// wanted: most often a family or a header is not the one that the mapping names.
std::string UntouchedText(const mapping::Index& index, const indexer::Counters& counts);

class ProgressReport {
 public:
  /// `runs` and `clock` outlive it.
  ProgressReport(const IndexRunList& runs, bool terminal, Clock* clock);

  /// Call it often; it says something when it is time to.
  void Tick();
  /// What one index did, when it has ended. It is not told of again.
  std::string EndOf(const IndexRun& run);

 private:
  struct Pace {
    std::chrono::milliseconds since{0};  // from here on it is told of
    int64_t records = 0;                 // at the last line
    double per_second = 0;               // smoothed
  };

  Pace& PaceOf(const IndexRun& run);
  void Measure(const IndexRun& run, std::chrono::milliseconds passed, double weight);
  Words Line(const IndexRun& run);

  const IndexRunList& runs_;
  const bool terminal_;
  Clock* const clock_;
  const std::chrono::milliseconds start_;
  std::chrono::milliseconds last_;
  std::map<const IndexRun*, Pace> paces_;
};

}  // namespace fensi::cli
