// The main loop of `fensi run`: waits for signals and for the ends of indexes, ticks everything that belongs to the
// main thread, reports each end, and returns the exit code.
//
// On the main thread, after BlockStopSignals and BlockReloadSignal; blocks until all indexes have ended.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/exit_codes.h"
#include "daemon/admin/serving.h"
#include "daemon/control/run_control.h"
#include "daemon/indexes/index_run_list.h"
#include "daemon/indexes/open_letters.h"
#include "daemon/service/service_report.h"
#include "daemon/sources/start_check.h"
#include "daemon/status/progress.h"
#include "daemon/status/run_status.h"
#include "daemon/status/run_watch.h"
#include "operations/access/store_place.h"

namespace fensi::daemon {

class Supervisor {
 public:
  /// All members outlive the supervisor.
  struct Parts {
    IndexRunList& runs;
    const StartOptions& start;
    const operations::StorePlace* place;  // null unless the store is embedded
    RunStatus& shown;
    RunControl& control;
    ServiceReport& service;
    AdminCertificateWatch& certificate;
    OpenLetterWatch& letters;
  };
  explicit Supervisor(const Parts& parts);

  /// Returns the worst exit code of the runs at the end.
  int Run();

 private:
  void Turn();
  void CountLetters();
  std::map<std::string, OpenLetterWatch::Wanted> LettersToCount() const;
  void CheckPlace();
  void StopAll();
  void ReportEnded();
  void ReportOnce(const IndexRun& run);
  /// Releases runs that a reload removed; the admin server may still be reading one.
  void LetGo();
  void ReportEnd(const IndexRun& run);
  /// True if it was stopped because the store's folder is gone, which was reported.
  bool IsOfPlace(const Status& status) const;
  int WorstExit() const;
  /// True if no event of the files was of the index's table, which shows a wrong table name: each run reads files from
  /// their first line. A topic shows nothing.
  bool NothingWasTaken() const;

  IndexRunList& runs_;
  const SourceOptions& source_;
  const operations::StorePlace* const place_;
  RunStatus& shown_;
  RunControl& control_;
  ServiceReport& service_;
  AdminCertificateWatch& certificate_;
  OpenLetterWatch& letters_;
  const DeadLetterSinks sinks_;
  std::set<const IndexRun*> told_;
  IndexRuns left_;  // ended, joined and not destroyed yet
  RunWatch watch_;
  ProgressReport progress_;
  bool reload_asked_ = false;
  bool stopping_ = false;
  bool place_lost_ = false;
  int worst_ = kExitDone;
};

}  // namespace fensi::daemon
