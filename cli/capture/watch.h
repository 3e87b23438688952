// What a running capture tells a person: one line now and then, hints when nothing arrives, a summary at the end.
// One thread.
#pragma once

#include <future>
#include <vector>

#include "base/clock.h"
#include "capture/capture.h"
#include "cli/capture/hints.h"

namespace fensi::cli {

class CaptureWatch {
 public:
  CaptureWatch(const capture::Capture* capture, CaptureFacts facts, Clock* clock);

  /// Call it often.
  void Tick();
  std::string Summary() const;

 private:
  void Report();
  void Hint();
  void TellHints(const std::vector<std::string>& hints);
  std::string Line() const;

  const capture::Capture* const capture_;
  CaptureFacts facts_;
  Clock* const clock_;
  const std::chrono::milliseconds start_;
  std::chrono::milliseconds next_report_;
  std::chrono::milliseconds next_hint_;
  int64_t reported_events_ = 0;
  std::string reported_;
  int64_t hinted_calls_ = 0;
  std::future<std::vector<std::string>> hints_;  // asking ZooKeeper takes its time
  std::vector<std::string> told_;                // logged last; empty once calls come again
  std::chrono::milliseconds tell_again_{0};
};

}  // namespace fensi::cli
