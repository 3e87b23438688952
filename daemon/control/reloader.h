// Reloads the mapping files and flag files of a running daemon: takes all changes, or none.
//
// One reload at a time, on any one thread; blocks for at most 30 s, the wait for removed indexes included. Starts no
// further step before the change if 20 s have passed.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "admin/admin_server.h"
#include "admin/status_source.h"
#include "daemon/control/comparison.h"
#include "daemon/control/verdict.h"
#include "daemon/indexes/index_run_list.h"
#include "daemon/indexes/index_run_maker.h"
#include "daemon/log/logger.h"
#include "daemon/status/run_status.h"

namespace fensi::daemon {

/// A flag whose value differs from the one that the process uses.
struct ChangedFlag {
  std::string name, value;
  std::string origin;  // where the new value is
  std::string shown;   // the same in a line for people
};

struct FlagsReadAgain {
  std::vector<std::string> faults;
  std::vector<ChangedFlag> changed;  // none if there are faults
};

/// The settings of a process that a reload may change.
struct LiveOptions {
  LogSettings log;
  std::string admin_token_file;
  int metrics_partitions = 0;  // bound of partitions with metrics of their own
};

class Reloader {
 public:
  /// All members outlive the reloader.
  struct Parts {
    IndexRunList* runs;
    IndexRunMaker* maker;  // used only by the reloader
    RunStatus* shown;
    std::vector<std::string> paths;
    std::vector<std::string> indexes;  // names; empty: all of the files
    bool control = false;              // the admin server accepts changes
    LiveOptions live;                  // as at the start
    /// Reads the files of flags again. Blocks on the file system.
    std::function<FlagsReadAgain()> read_flags;
    /// Makes the process use them from now on.
    std::function<LiveOptions(const std::vector<ChangedFlag>& taken)> take_flags;
  };
  explicit Reloader(Parts parts) : parts_(std::move(parts)), live_(parts_.live) {}

  /// The server that gets a new token; null: none.
  void UseServer(admin::Server* server) { server_ = server; }

  /// The log has the result, too. Ends soon after `ending`.
  admin::Verdict Reload(const std::function<bool()>& ending);

 private:
  class Attempt;

  void Tell(const ReloadVerdict& verdict);

  const Parts parts_;
  LiveOptions live_;
  std::atomic<admin::Server*> server_ = nullptr;
};

}  // namespace fensi::daemon
