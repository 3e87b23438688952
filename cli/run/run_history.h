// What became of the indexes of this process in the last ten minutes: those that run, by their names.
//
// Thread-safe; never waits for a worker.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "cli/history/index_history.h"
#include "cli/history/partition_moves.h"
#include "cli/run/index_run_list.h"

namespace fensi::cli {

/// What is known of an index by the time before.
struct RunPast {
  Recent recent;
  PartitionMoves moves;
};

class RunHistory {
 public:
  /// Both outlive it.
  RunHistory(const IndexRunList& runs, Clock* clock) : runs_(runs), clock_(clock) {}

  /// Looks at the indexes once a second, however often it is called. One thread.
  void Tick();
  /// Of an index that was not looked at yet: nothing.
  RunPast Of(const std::string& name) const;
  /// A JSON object.
  std::string Json() const;

 private:
  struct Kept {
    IndexHistory history;
    PartitionMoves moves;
  };

  IndexHistory Copy(const std::string& name) const;

  const IndexRunList& runs_;
  Clock* const clock_;
  std::chrono::milliseconds next_{0};
  mutable Mutex mu_;
  std::map<std::string, Kept> kept_ ABSL_GUARDED_BY(mu_);
};

/// Events that wait, of an index whose stream has an end; absent: nobody knows.
std::optional<int64_t> LagRecords(const consumer::StreamState& stream);
/// The age of the oldest of them.
std::optional<double> LagSeconds(const consumer::StreamState& stream, int64_t now);

}  // namespace fensi::cli
