#include "operations/jobs/stop_limit.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "base/status.h"
#include "operations/console/console.h"
#include "operations/jobs/signals.h"

namespace fensi::operations {

using std::chrono::steady_clock;

StopLimit::StopLimit(std::string command) : command_(std::move(command)), thread_([this] { Run(); }) {}

StopLimit::~StopLimit() {
  {
    const MutexLock lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void StopLimit::Run() {
  constexpr std::chrono::milliseconds kLook{100};
  std::optional<steady_clock::time_point> asked;
  while (true) {
    {
      MutexLock lock(mu_);
      const auto ending = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return ending_; };
      if (changed_.wait_for(lock, kLook, ending)) return;
    }
    if (!asked && StopIsAsked()) asked = steady_clock::now();
    if (!asked || steady_clock::now() - *asked < kLongestStop) continue;
    Say(command_ + ": stopped; a server that it waited for did not answer within " +
        std::to_string(kLongestStop.count()) + " s of the stop signal. The same line goes on");
    _exit(ExitCode(StatusCode::kCancelled));
  }
}

}  // namespace fensi::operations
