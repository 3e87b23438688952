// Shows the progress of the indexes: drawn over itself if stderr is a terminal, else a line every 10 s if something
// changed. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/redactable_text.h"
#include "daemon/indexes/index_run_list.h"
#include "mapping/index.h"

namespace fensi::daemon {

/// "index fensi: 948,464 events in 12 s (79,038/s): 948,464 puts, 0 deletes, …"
std::string SummaryText(const std::string& index, const indexer::Counters& counts, std::chrono::milliseconds passed);

/// True if there were events of files, and none of the index's table. Unknown for a topic, because watermarks are
/// skipped, too.
bool IsOfOtherTables(const indexer::Counters& counts);

/// "; none of them has a cell that the index watches (f1:from)", or nothing. No event needed a state: usually a family
/// or a header is not the one in the mapping.
std::string UntouchedText(const mapping::Index& index, const indexer::Counters& counts);

/// Records per second in the last ten seconds, or since the start. Earlier ones do not count.
class RecentRate {
 public:
  double Next(int64_t records, std::chrono::milliseconds now);

 private:
  struct Sample {
    std::chrono::milliseconds at;
    int64_t records;
  };
  std::deque<Sample> samples_;  // the first is the reference of the rate
};

/// Decides which lines of progress say something new.
class IdleLines {
 public:
  static constexpr std::chrono::minutes kReminder{1};

  struct Facts {
    int64_t events = 0;        // of the table: watermarks come every second
    std::string waiting = {};  // remaining work, trouble or pause; empty: none
    auto operator<=>(const Facts&) const = default;
  };
  /// An idle index is reported once, a waiting one again after kReminder.
  bool IsNew(Facts facts, std::chrono::milliseconds now);

 private:
  std::optional<Facts> told_;
  std::chrono::milliseconds at_{0};
};

class ProgressReport {
 public:
  /// `runs` and `clock` outlive it.
  ProgressReport(const IndexRunList& runs, bool terminal, Clock* clock);

  /// Call it often; prints a line when it is due.
  void Tick();
  /// The summary of an index that has ended. It is not reported again.
  std::string EndOf(const IndexRun& run);

 private:
  struct Pace {
    std::chrono::milliseconds since{0};  // reported from here on
    RecentRate rate;
    IdleLines lines;
    bool left = false;  // work was left at the last check
  };

  Pace& PaceOf(const IndexRun& run);
  static RedactableText Line(const IndexRun& run, double per_second);

  const IndexRunList& runs_;
  const bool terminal_;
  Clock* const clock_;
  std::chrono::milliseconds last_;
  std::map<const IndexRun*, Pace> paces_;
};

}  // namespace fensi::daemon
