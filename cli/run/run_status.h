// What the admin server shows of `fensi run`. Its words are made of facts, never of messages: those may name rows.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "cli/admin/daemon_status.h"
#include "cli/run/index_run_list.h"
#include "cli/run/run_history.h"

namespace fensi::cli {

class RunStatus final : public DaemonStatus {
 public:
  /// Everything handed in outlives it.
  RunStatus(const IndexRunList& runs, Clock* clock, OpenLettersOf open_letters);

  /// The mapping files were read again.
  void NoteReload(bool taken);
  /// Remembers how the indexes are, once a second however often it is called. The main thread.
  void Remember() { history_.Tick(); }

  void Collect(metrics::Snapshot* snapshot) const override;
  std::string Status() const override;
  std::string History() const override { return history_.Json(); }
  std::vector<admin::Check> Health() const override;
  std::vector<admin::Check> Readiness() const override;

 private:
  const IndexRunList& runs_;
  const OpenLettersOf open_letters_;
  RunHistory history_;
  // The start counts as the first reload.
  std::atomic<bool> reload_taken_ = true;
  std::atomic<int64_t> reloaded_, taken_;  // milliseconds since the epoch: the last, and the last that was taken
};

}  // namespace fensi::cli
