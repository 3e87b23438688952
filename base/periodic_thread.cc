#include "base/periodic_thread.h"

#include <exception>

namespace fensi {

PeriodicThread::PeriodicThread(std::chrono::milliseconds period, std::function<void()> work,
                               std::chrono::milliseconds first)
    : period_(period), work_(std::move(work)), thread_([this, first] { Run(first); }) {}

bool PeriodicThread::Stop() {
  if (!thread_.joinable()) return false;
  {
    const MutexLock lock(mu_);
    stopping_ = true;
    changed_.notify_all();
  }
  thread_.join();
  return true;
}

void PeriodicThread::Run(std::chrono::milliseconds pause) {
  while (true) {
    {
      MutexLock lock(mu_);
      const auto stopping = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return stopping_; };
      if (changed_.wait_for(lock, pause, stopping)) return;
    }
    try {
      work_();
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch)
      // Lack of memory: it is called again.
    }
    pause = period_;
  }
}

}  // namespace fensi
