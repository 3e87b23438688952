// What the admin server shows of `fensi run`. Its words are made of facts, never of messages: those may name rows.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "cli/admin/daemon_status.h"
#include "cli/run/index_run_list.h"

namespace fensi::cli {

class RunStatus final : public DaemonStatus {
 public:
  /// Everything handed in outlives it.
  RunStatus(const IndexRunList& runs, Clock* clock);

  /// The mapping files were read again.
  void NoteReload(bool taken);

  void Collect(metrics::Snapshot* snapshot) const override;
  std::string Status() const override;
  std::vector<admin::Check> Health() const override;
  std::vector<admin::Check> Readiness() const override;

 private:
  const IndexRunList& runs_;
  // The start counts as the first reload.
  std::atomic<bool> reload_taken_ = true;
  std::atomic<int64_t> reloaded_, taken_;  // milliseconds since the epoch: the last, and the last that was taken
};

/// What keeps the index from work, or empty.
std::string WhyNotReady(const IndexRun& run, std::chrono::milliseconds now);

}  // namespace fensi::cli
