#include "indexer/second_looks.h"

#include <utility>

namespace fensi::indexer {

SecondLooks::SecondLooks(Clock* clock) : clock_(clock), thread_([this] { Run(); }) {}

void SecondLooks::Add(std::chrono::milliseconds due, std::function<void()> look) {
  const MutexLock lock(mu_);
  waiting_.push_back({due, std::move(look)});
  changed_.notify_all();
}

void SecondLooks::Finish() {
  {
    const MutexLock lock(mu_);
    finishing_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void SecondLooks::Run() {
  for (;;) {
    MutexLock lock(mu_);
    changed_.wait(lock, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return finishing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    const std::chrono::milliseconds left = next.due - clock_->SinceBoot();
    if (left.count() > 0) clock_->Sleep(left);
    next.look();
  }
}

}  // namespace fensi::indexer
