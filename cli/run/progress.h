// How far the indexes are: drawn over itself when stderr is a terminal, else a line every 10 s in which something
// changed. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
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

/// Records a second in the last ten seconds, or since the beginning. What was before does not count.
class RecentRate {
 public:
  double Next(int64_t records, std::chrono::milliseconds now);

 private:
  struct Sample {
    std::chrono::milliseconds at;
    int64_t records;
  };
  std::deque<Sample> samples_;  // the first is the one that the rate is measured from
};

/// Which lines of progress say something new.
class IdleLines {
 public:
  static constexpr std::chrono::minutes kReminder{1};

  struct Facts {
    int64_t events = 0;        // of the table: marks come every second
    std::string waiting = {};  // what is left, or in trouble, or paused; empty: nothing
    auto operator<=>(const Facts&) const = default;
  };
  /// An index that is idle is told once, one that waits for something again after kReminder.
  bool IsNew(Facts facts, std::chrono::milliseconds now);

 private:
  std::optional<Facts> told_;
  std::chrono::milliseconds at_{0};
};

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
    RecentRate rate;
    IdleLines lines;
    bool left = false;  // something was left at the last look
  };

  Pace& PaceOf(const IndexRun& run);
  static Words Line(const IndexRun& run, double per_second);

  const IndexRunList& runs_;
  const bool terminal_;
  Clock* const clock_;
  std::chrono::milliseconds last_;
  std::map<const IndexRun*, Pace> paces_;
};

}  // namespace fensi::cli
