#include "capture/zookeeper/session_thread.h"

#include <utility>

namespace fensi::capture {

void SessionThread::Start(std::function<void()> work) {
  thread_ = std::thread([this, work = std::move(work)] {
    work();
    const MutexLock lock(mu_);
    ended_ = true;
    changed_.notify_all();
  });
}

void SessionThread::Stop(std::chrono::milliseconds timeout) {
  if (!thread_.joinable()) return;
  MutexLock lock(mu_);
  const bool ended = changed_.wait_for(lock, timeout, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return ended_; });
  lock.unlock();
  ended ? thread_.join() : thread_.detach();
}

}  // namespace fensi::capture
