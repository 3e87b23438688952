// The process of `fensi run`: checks its options, makes its indexes and everything that watches and changes them, and
// runs them to their end.
//
// On the main thread, before any other thread; blocks until all indexes have ended.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/exit_codes.h"
#include "daemon/admin/serving.h"
#include "daemon/control/reloader.h"
#include "daemon/faults/fault_plan.h"
#include "daemon/indexes/index_run_list.h"
#include "daemon/indexes/index_run_maker.h"
#include "daemon/indexes/run_options.h"
#include "daemon/status/run_status.h"
#include "mapping/mapping.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::daemon {

struct IndexDaemonOptions {
  RunOptions run;
  AdminOptions admin;
  LiveOptions live;  // as at the start
  DaemonFacts facts;
  std::vector<std::string> paths;    // of mapping files
  std::vector<std::string> indexes;  // names; empty: all of the files
  std::string faults;                // a plan of faults, for tests of the program; empty: none
  bool faults_unlocked = false;      // without it the plan is refused
  FlagDefaultOf default_of;          // for the hash of the configuration
  /// The error in the reason of a pause, as a sentence; empty: none. Any thread.
  std::function<std::string(const std::string& reason)> fault_of_reason;
  /// Says that events are expected on standard input.
  std::function<void()> prompt = [] {};
  /// As Reloader::Parts.
  std::function<FlagsReadAgain()> read_flags;
  std::function<LiveOptions(const std::vector<ChangedFlag>& taken)> take_flags;
};

/// kInvalidArgument: options for a daemon are given to a run that ends with its source, or one lacks its counterpart.
Status CheckDaemonOptions(const RunOptions& options);

class IndexDaemon {
 public:
  explicit IndexDaemon(IndexDaemonOptions options) : options_(std::move(options)) {}

  Result<int> Run();

 private:
  const SourceOptions& source() const { return options_.run.start.source; }
  /// Null if none are asked for.
  Result<std::shared_ptr<FaultPlan>> AskedFaults() const;
  Result<IndexRuns> MakeRuns(const std::vector<mapping::Mapping>& mappings, const operations::Indexes& chosen,
                             IndexRunMaker* maker) const;
  Result<int> Serve(IndexRunList* runs, IndexRunMaker* maker, const admin::ServerOptions& admin_settings) const;

  const IndexDaemonOptions options_;
};

}  // namespace fensi::daemon
