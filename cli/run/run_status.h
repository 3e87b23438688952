// What the admin server shows of `fensi run`. Its words are made of facts, never of messages: those may name rows.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "cli/admin/daemon_status.h"
#include "cli/run/progress.h"

namespace fensi::cli {

class RunStatus final : public DaemonStatus {
 public:
  /// Everything handed in outlives it.
  RunStatus(const Jobs& jobs, Clock* clock);

  void Collect(metrics::Snapshot* snapshot) const override;
  std::string Status() const override;
  std::vector<admin::Check> Health() const override;
  std::vector<admin::Check> Readiness() const override;

 private:
  const Jobs& jobs_;
};

/// What keeps the index from work, or empty.
std::string WhyNotReady(const IndexJob& job, std::chrono::milliseconds now);

}  // namespace fensi::cli
