// Writes into the log what happens to the indexes of a daemon and to its servers while it runs: outages and their ends,
// partitions that come and go, new dead letters. Two looks in a second are enough.
//
// One thread; never blocks.
#pragma once

#include <chrono>
#include <map>
#include <memory>

#include "base/clock.h"
#include "cli/log/outage_watch.h"
#include "cli/run/index_run_list.h"
#include "cli/run/index_watch.h"
#include "cli/run/server_standing.h"

namespace fensi::cli {

class RunWatch {
 public:
  /// Both outlive it.
  RunWatch(const IndexRunList& runs, Clock* clock);

  /// Call it often.
  void Tick();
  /// What is left to be said of an index that has ended. It is not looked at again.
  void NoteEnd(const IndexRun& run);

 private:
  void Look(const IndexRun& run);
  void LookAtServers(const IndexRuns& runs);

  const IndexRunList& runs_;
  Clock* const clock_;
  OutageWatch kafka_;
  OutageWatch store_;
  std::map<const IndexRun*, std::unique_ptr<IndexWatch>> watches_;
  std::chrono::milliseconds next_{0};
};

}  // namespace fensi::cli
