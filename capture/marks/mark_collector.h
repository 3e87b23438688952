// Collects the replication markers of all calls since the last watermark, call by call.
//
// Thread-safe, bounded; never blocks.
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

  /// Calls of one message. Servers write about one marker a second each.
  static constexpr size_t kMostCalls = 2'000;
  /// A marker further ahead of our clock is of a wrong clock: it would vouch for changes that are made after the clock
  /// is right again.
  static constexpr int64_t kMostAhead = 10'000;

  /// Adds a call that is durable. Drops it beyond the bounds: a lost marker only delays the watermark.
  void Add(const CallMarkers& markers);
  /// Takes the calls that were added since, in their order.
  std::vector<consumer::Mark::Call> Take();
  /// Whether the calls since the last time report bulk loads. Without a call: as the last time.
  consumer::Mark::BulkLoads TakeBulkLoads();

  /// True once any marker has arrived.
  bool any() const;
  /// Since when calls arrive without a marker; absent: no call arrived, or one had a marker.
  std::optional<std::chrono::milliseconds> unmarked_since() const;
  /// A server whose clock is wrong; empty: none was seen.
  std::string ahead() const;

 private:
  Clock* const clock_;
  mutable Mutex mu_;
  std::vector<consumer::Mark::Call> calls_ ABSL_GUARDED_BY(mu_);
  bool any_ ABSL_GUARDED_BY(mu_) = false;
  std::optional<std::chrono::milliseconds> first_call_ ABSL_GUARDED_BY(mu_);
  std::string ahead_ ABSL_GUARDED_BY(mu_);
  std::optional<bool> all_report_ ABSL_GUARDED_BY(mu_);  // calls since the last time; absent: there was none
  consumer::Mark::BulkLoads bulk_loads_ ABSL_GUARDED_BY(mu_) = consumer::Mark::BulkLoads::kNotSaid;
};

}  // namespace fensi::capture
