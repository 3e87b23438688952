#include "daemon/capture/kafka_watch.h"

#include "base/unattended.h"

namespace fensi::daemon {

/// A refusal is an answer, too: it is told where something is to be written.
void KafkaWatch::Tick() {
  const std::chrono::milliseconds now = clock_->MonotonicNow();
  if (asked_ && asked_->wait_for(std::chrono::milliseconds(0)) == std::future_status::ready) {
    const Status answer = asked_->get();
    const bool silent = answer.code() == StatusCode::kUnavailable;
    why_ = silent ? answer.message() : "";
    if (!silent) answered_ = now;
    asked_.reset();
  }
  if (asked_ || now < next_) return;
  next_ = now + kPause;
  asked_ = RunDetached(ask_);
}

}  // namespace fensi::daemon
