// What the admin server shows of `fensi capture`. Its words are made of facts, never of messages: those may name rows.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "admin/status_source.h"
#include "base/clock.h"
#include "capture/capture.h"

namespace fensi::cli {

class CaptureStatus final : public admin::StatusSource {
 public:
  /// Both outlive it.
  CaptureStatus(const capture::Capture* capture, Clock* clock);

  /// The main thread lives; call it often.
  void NoteTurn() { last_turn_ = clock_->SinceBoot(); }
  /// Region servers are told of us from now on.
  void NoteStart() { started_ = true; }
  void NoteStop() { stopping_ = true; }

  void Collect(metrics::Snapshot* snapshot) const override;
  std::string Status() const override;
  std::string Version() const override;
  std::vector<admin::Check> Health() const override;
  std::vector<admin::Check> Readiness() const override;

 private:
  bool registered() const { return started_ && capture_->trouble().empty(); }

  const capture::Capture* const capture_;
  Clock* const clock_;
  std::atomic<std::chrono::milliseconds> last_turn_;
  std::atomic<bool> started_ = false;
  std::atomic<bool> stopping_ = false;
};

}  // namespace fensi::cli
