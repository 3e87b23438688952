#include "indexer/delayed_rereads.h"

#include <utility>

namespace fensi::indexer {

DelayedRereads::DelayedRereads(Clock* clock) : clock_(clock), thread_([this] { Run(); }) {}

void DelayedRereads::Add(std::chrono::milliseconds due, std::function<void()> look) {
  const MutexLock lock(mu_);
  waiting_.push_back({due, std::move(look)});
  changed_.notify_all();
}

void DelayedRereads::Finish() {
  {
    const MutexLock lock(mu_);
    finishing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void DelayedRereads::Run() {
  for (;;) {
    MutexLock lock(mu_);
    changed_.wait(lock, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return finishing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const std::chrono::milliseconds left = next.due - clock_->MonotonicNow();
    if (left.count() > 0) clock_->Sleep(left);
    next.look();
  }
}

}  // namespace fensi::indexer
