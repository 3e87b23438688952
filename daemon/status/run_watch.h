// Logs what happens to the indexes of a daemon and to its servers while it runs: outages and their ends, assigned and
// revoked partitions, new dead letters. Tick it twice a second or more.
//
// One thread; never blocks.
#pragma once

#include <chrono>
#include <map>
#include <memory>

#include "base/clock.h"
#include "daemon/indexes/index_run_list.h"
#include "daemon/indexes/index_watch.h"
#include "daemon/log/outage_watch.h"
#include "daemon/status/server_standing.h"

namespace fensi::daemon {

class RunWatch {
 public:
  /// `runs` and `clock` outlive it.
  RunWatch(const IndexRunList& runs, const StartOptions& start, Clock* clock);

  /// Call it often.
  void Tick();
  /// Logs the rest about an index that has ended. It is not watched any more.
  void NoteEnd(const IndexRun& run);

 private:
  void Look(const IndexRun& run);
  void LookAtServers(const IndexRuns& runs);

  const IndexRunList& runs_;
  const ServerNames servers_;
  const DeadLetterSinks letters_;
  Clock* const clock_;
  OutageWatch kafka_;
  OutageWatch store_;
  std::map<const IndexRun*, std::unique_ptr<IndexWatch>> watches_;
  std::chrono::milliseconds next_{0};
};

}  // namespace fensi::daemon
