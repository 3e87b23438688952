// The history of the indexes of this process in the last ten minutes: of running ones, by name.
//
// Thread-safe; never waits for a worker.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "daemon/history/index_history.h"
#include "daemon/history/partition_moves.h"
#include "daemon/indexes/index_run_list.h"

namespace fensi::daemon {

/// What history adds to the status of an index.
struct RunPast {
  Recent recent;
  PartitionMoves moves;
};

/// Open dead letters of an index, by reason; absent: not counted.
using OpenLettersOf = std::function<std::optional<std::map<std::string, int64_t>>(const std::string& index)>;

class RunHistory {
 public:
  /// Both outlive it.
  RunHistory(const IndexRunList& runs, Clock* clock, OpenLettersOf open_letters)
      : runs_(runs), clock_(clock), open_letters_(std::move(open_letters)) {}

  /// Records the indexes once a second, however often it is called. One thread.
  void Tick();
  /// Empty for an index that was not recorded yet.
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
  const OpenLettersOf open_letters_;
  std::chrono::milliseconds next_{0};
  mutable Mutex mu_;
  std::map<std::string, Kept> kept_ ABSL_GUARDED_BY(mu_);
};

/// Waiting events of an index whose stream has an end; absent: unknown.
std::optional<int64_t> LagRecords(const consumer::StreamState& stream);
/// The age of the oldest of them.
std::optional<double> LagSeconds(const consumer::StreamState& stream, int64_t now);

}  // namespace fensi::daemon
