#include "consumer/dead_letters.h"

namespace fensi::consumer {

Status RetryingDeadLetters::Flush() {
  for (bool told = false;; told = true) {
    const Status flushed = behind_->Flush();
    const bool again = flushed.code() == StatusCode::kUnavailable && behind_->recovers();
    if (told && !again) tell_("");
    if (!again) return flushed;
    tell_(flushed.message());
    FENSI_RETURN_IF_ERROR(go_on_());
    clock_->Sleep(kPause);
  }
}

}  // namespace fensi::consumer
