// The status of `fensi run` for the admin server. Its texts are made of facts, never of messages, which may name rows.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "daemon/indexes/index_run_list.h"
#include "daemon/status/config_hash.h"
#include "daemon/status/daemon_status.h"
#include "daemon/status/run_history.h"
#include "daemon/status/server_standing.h"

namespace fensi::daemon {

struct RunFacts {
  DaemonFacts daemon;
  ServerNames servers;
  bool control = false;      // the admin server accepts changes
  FlagDefaultOf default_of;  // for the hash of the configuration
};

class RunStatus final : public DaemonStatus {
 public:
  /// All arguments outlive it.
  RunStatus(const IndexRunList& runs, RunFacts facts, Clock* clock, OpenLettersOf open_letters);

  /// Records a reload of the mapping files.
  void NoteReload(bool taken);
  /// Records the indexes once a second however often it is called. The main thread.
  void Remember() { history_.Tick(); }

  void Collect(metrics::Snapshot* snapshot) const override;
  std::string Status() const override;
  std::string History() const override { return history_.Json(); }
  std::vector<admin::Check> Health() const override;
  std::vector<admin::Check> Readiness() const override;

 private:
  const IndexRunList& runs_;
  const ServerNames servers_;
  const bool control_;
  const FlagDefaultOf default_of_;
  const OpenLettersOf open_letters_;
  RunHistory history_;
  // The start counts as the first reload.
  std::atomic<bool> reload_taken_ = true;
  std::atomic<int64_t> reloaded_, taken_;  // milliseconds since the epoch: the last reload, and the last that was taken
};

}  // namespace fensi::daemon
