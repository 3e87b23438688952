#include "cli/top/asker.h"

#include <utility>

namespace fensi::cli {
namespace {

constexpr std::chrono::milliseconds kPause{1000};
constexpr std::chrono::milliseconds kTimeout{2000};

}  // namespace

Asker::~Asker() {
  {
    const MutexLock lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

std::optional<Result<Daemons>> Asker::Take() {
  const MutexLock lock(mu_);
  return std::exchange(answer_, std::nullopt);
}

void Asker::Work() {
  MutexLock lock(mu_);
  while (!ending_) {
    lock.unlock();
    Result<Daemons> answer = AskDaemons(kTimeout);
    lock.lock();
    answer_ = std::move(answer);
    changed_.wait_for(lock, kPause, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return ending_; });
  }
}

}  // namespace fensi::cli
