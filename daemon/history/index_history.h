// Records the last ten minutes of an index, second by second: for the lines of the status page, and for the figures of
// the last ten seconds.
//
// Pure, bounded (kMostBytes), one thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "base/histogram.h"
#include "indexer/timings.h"
#include "store/wrapped_store.h"

namespace fensi::daemon {

/// The measures of an index at one moment; counts are since the start of the process. Unknown ones are absent.
struct IndexFigures {
  int64_t wall_millis = 0;
  int64_t events = 0;
  std::optional<int64_t> open_dead_letters = {};  // open dead letters
  std::optional<int64_t> lag_records = {};
  std::optional<double> lag_seconds = {};
  std::optional<int64_t> fresh_until = {};  // milliseconds since the epoch
  std::array<Histogram::Snapshot, indexer::kPhases> phases = {};
  std::array<Histogram::Snapshot, store::kCallKinds> calls = {};
};

/// A timed activity in the last ten seconds.
struct RecentTiming {
  double per_second = 0;
  double busy = 0;  // seconds per second; of many threads more than one
  std::optional<double> p50 = {}, p99 = {};
};

/// The last ten seconds.
struct Recent {
  std::optional<double> events_per_second = {};
  std::array<RecentTiming, indexer::kPhases> phases = {};
  std::array<RecentTiming, store::kCallKinds> calls = {};
};

class IndexHistory {
 public:
  static constexpr size_t kSteps = 600;
  static constexpr size_t kRecentSteps = 10;
  static constexpr size_t kMostBytes = 120 << 10;

  /// Once a second; `since_boot` never falls.
  void Add(const IndexFigures& figures, std::chrono::milliseconds since_boot);

  const Recent& recent() const { return recent_; }
  /// {"name":…,"times_ms":[…],"events_per_s":[…],…}: one value for each step, null if unknown. For phases and calls
  /// each step has the value of the ten seconds before. All times are by the current clock, however it was set
  /// meanwhile.
  void AppendJson(const std::string& name, std::string* json) const;

 private:
  struct Step {
    std::chrono::milliseconds at;  // since boot
    int64_t wall_millis;
    int64_t open_dead_letters;             // < 0: not known
    int64_t lag_records;                   // < 0: not known
    int64_t fresh_until;                   // < 0: not known
    float events_per_second, lag_seconds;  // NaN: not known, also of those below
    std::array<float, indexer::kPhases> busy;
    std::array<float, store::kCallKinds> p50, p99;
  };
  struct Moment {
    std::chrono::milliseconds at;
    IndexFigures figures;
  };
  static_assert(kSteps * sizeof(Step) +
                    (kRecentSteps + 1) * (sizeof(Moment) + (indexer::kPhases + store::kCallKinds) *
                                                               Histogram::kMostBounds * sizeof(int64_t)) <=
                kMostBytes);

  Recent Measure() const;
  Step StepOf(const IndexFigures& figures, std::chrono::milliseconds since_boot, std::optional<double> rate) const;
  int64_t SetMeanwhile(const Step& step) const;

  std::deque<Step> steps_;
  std::deque<Moment> moments_;  // the latest, newest last
  Recent recent_;
};

}  // namespace fensi::daemon
