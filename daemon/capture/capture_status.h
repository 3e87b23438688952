// The status of `fensi capture` for the admin server. Its texts are made of facts, never of messages, which may name
// rows.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "daemon/capture/kafka_watch.h"
#include "daemon/status/daemon_status.h"

namespace fensi::daemon {

class CaptureStatus final : public DaemonStatus {
 public:
  /// All outlive it.
  CaptureStatus(const capture::Capture* capture, const KafkaWatch* kafka, DaemonFacts facts, Clock* clock);

  /// Call when region servers can find us.
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

}  // namespace fensi::daemon
