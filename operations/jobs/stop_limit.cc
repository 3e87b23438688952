#include "operations/jobs/stop_limit.h"

#include <unistd.h>

#include <utility>

#include "base/status.h"
#include "operations/console/console.h"
#include "operations/jobs/signals.h"

namespace fensi::operations {

using std::chrono::steady_clock;

StopLimit::StopLimit(std::string command, std::string index, std::string remedy)
    : command_(std::move(command)),
      index_(std::move(index)),
      remedy_(std::move(remedy)),
      thread_(std::chrono::milliseconds(100), [this] { Look(); }) {}

void StopLimit::Look() {
  if (!asked_ && StopIsAsked()) asked_ = steady_clock::now();
  if (!asked_ || steady_clock::now() - *asked_ < kLongestStop) return;
  Say(command_ + ": index " + index_ + ": stopped " + std::to_string(kLongestStop.count()) +
      " s after the stop signal, before the work in flight ended. " + remedy_);
  _exit(ExitCode(StatusCode::kCancelled));
}

}  // namespace fensi::operations
