// What the admin server shows of `fensi capture`. Its words are made of facts, never of messages: those may name rows.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "cli/admin/daemon_status.h"
#include "cli/capture/kafka_watch.h"

namespace fensi::cli {

class CaptureStatus final : public DaemonStatus {
 public:
  /// All outlive it.
  CaptureStatus(const capture::Capture* capture, const KafkaWatch* kafka, Clock* clock);

  /// Region servers are told of us from now on.
  void NoteStart() { started_ = true; }

  void Collect(metrics::Snapshot* snapshot) const override;
  std::string Status() const override;
  std::vector<admin::Check> Health() const override;
  std::vector<admin::Check> Readiness() const override;

 private:
  bool registered() const { return started_ && capture_->is_registered(); }

  const capture::Capture* const capture_;
  const KafkaWatch* const kafka_;
  std::atomic<bool> started_ = false;
};

}  // namespace fensi::cli
