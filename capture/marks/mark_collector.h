// The replication markers of all calls since marks were told last, call by call.
//
// Thread-safe, bounded; nothing blocks.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "capture/wal/call_markers.h"

namespace fensi::capture {

class MarkCollector {
 public:
  explicit MarkCollector(Clock* clock) : clock_(clock) {}

  /// Of one message. Servers write about one a second each.
  static constexpr size_t kMostCalls = 2'000;
  /// A marker that is younger than our clock by more is of a clock that is wrong: believed, it would vouch for changes
  /// that are made after the clock is right again.
  static constexpr int64_t kMostAhead = 10'000;

  /// Of a call that is durable. Beyond the bounds it is left out: a marker that is lost only costs time.
  void Add(const CallMarkers& markers);
  /// What was added since, in that order.
  std::vector<consumer::Mark::Call> Take();

  /// Some marker came ever.
  bool any() const;
  /// Since when calls come; nothing: none came, or one had a marker.
  std::optional<std::chrono::milliseconds> unmarked_since() const;
  /// A server whose clock is wrong; empty: none, as far as was seen.
  std::string ahead() const;

 private:
  Clock* const clock_;
  mutable Mutex mu_;
  std::vector<consumer::Mark::Call> calls_ ABSL_GUARDED_BY(mu_);
  bool any_ ABSL_GUARDED_BY(mu_) = false;
  std::optional<std::chrono::milliseconds> first_call_ ABSL_GUARDED_BY(mu_);
  std::string ahead_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::capture
