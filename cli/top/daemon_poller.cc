#include "cli/top/daemon_poller.h"

#include <chrono>
#include <utility>

#include "cli/options/operations_options.h"

namespace fensi::cli {
namespace {

constexpr std::chrono::milliseconds kPause{1000};
constexpr std::chrono::milliseconds kTimeout{2000};

}  // namespace

DaemonPoller::DaemonPoller()
    : thread_(
          kPause, [this] { Ask(); }, std::chrono::milliseconds(0)) {}

std::optional<Result<operations::Daemons>> DaemonPoller::Take() {
  const MutexLock lock(mu_);
  return std::exchange(answer_, std::nullopt);
}

void DaemonPoller::Ask() {
  Result<operations::Daemons> answer = operations::AskDaemons(ReadDaemonsOptions(), kTimeout);
  const MutexLock lock(mu_);
  answer_ = std::move(answer);
}

}  // namespace fensi::cli
