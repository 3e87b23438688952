#include "cli/top/daemon_poller.h"

#include <utility>

#include "cli/options/operations_options.h"

namespace fensi::cli {
namespace {

constexpr std::chrono::milliseconds kPause{1000};
constexpr std::chrono::milliseconds kTimeout{2000};

}  // namespace

DaemonPoller::~DaemonPoller() {
  {
    const MutexLock lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

std::optional<Result<operations::Daemons>> DaemonPoller::Take() {
  const MutexLock lock(mu_);
  return std::exchange(answer_, std::nullopt);
}

void DaemonPoller::Work() {
  MutexLock lock(mu_);
  while (!ending_) {
    lock.unlock();
    Result<operations::Daemons> answer = operations::AskDaemons(ReadDaemonsOptions(), kTimeout);
    lock.lock();
    answer_ = std::move(answer);
    changed_.wait_for(lock, kPause, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return ending_; });
  }
}

}  // namespace fensi::cli
