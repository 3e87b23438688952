// What the admin server shows of `fensi run`. Its words are made of facts, never of messages: those may name rows.
#pragma once

#include <atomic>
#include <chrono>

#include "admin/status_source.h"
#include "base/clock.h"
#include "cli/run/progress.h"

namespace fensi::cli {

class RunStatus final : public admin::StatusSource {
 public:
  /// Everything handed in outlives it.
  RunStatus(const Jobs& jobs, Clock* clock);

  /// The main thread lives; call it often.
  void NoteTurn() { last_turn_ = clock_->SinceBoot(); }
  /// The process was asked to end.
  void NoteStop() { stopping_ = true; }

  void Collect(metrics::Snapshot* snapshot) const override;
  std::string Status() const override;
  std::string Version() const override;
  std::vector<admin::Check> Health() const override;
  std::vector<admin::Check> Readiness() const override;

 private:
  const Jobs& jobs_;
  Clock* const clock_;
  std::atomic<std::chrono::milliseconds> last_turn_;
  std::atomic<bool> stopping_ = false;
};

/// What keeps the index from work, or empty.
std::string WhyNotReady(const IndexJob& job, std::chrono::milliseconds now);

}  // namespace fensi::cli
