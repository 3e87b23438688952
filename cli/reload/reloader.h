// Reads the mapping files and flag files of a daemon again while it works: all of it is taken, or nothing.
//
// One reload at a time, on any one thread; blocks for at most 20 s before anything is changed, and for 30 s
// while indexes that are gone finish what they have in hand.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "admin/admin_server.h"
#include "admin/control.h"
#include "cli/program/command.h"
#include "cli/reload/comparison.h"
#include "cli/reload/verdict.h"
#include "cli/run/index_run_list.h"
#include "cli/run/index_run_maker.h"
#include "cli/run/run_status.h"

namespace fensi::cli {

class Reloader {
 public:
  /// All of it outlives the reloader.
  struct Parts {
    IndexRunList* runs;
    IndexRunMaker* maker;  // nobody else uses it
    RunStatus* shown;
    Arguments paths;
  };
  explicit Reloader(Parts parts) : parts_(std::move(parts)) {}

  /// Who is told of a new token; null: nobody.
  void UseServer(admin::Server* server) { server_ = server; }

  /// What became of it is in the log, too. Ends soon after `ending`.
  admin::Verdict Reload(const std::function<bool()>& ending);

 private:
  class Attempt;

  void Tell(const ReloadVerdict& verdict);

  const Parts parts_;
  std::atomic<admin::Server*> server_ = nullptr;
};

}  // namespace fensi::cli
