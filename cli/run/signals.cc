#include "cli/run/signals.h"

#include <pthread.h>

#include <csignal>
#include <ctime>

namespace fensi::cli {
namespace {

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

}  // namespace

void BlockStopSignals() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

int AwaitStopSignal(std::chrono::milliseconds patience) {
  const sigset_t signals = StopSignals();
  timespec wait{};
  wait.tv_sec = static_cast<std::time_t>(patience.count() / 1000);
  wait.tv_nsec = static_cast<long>(patience.count() % 1000) * 1000000;
  const int number = sigtimedwait(&signals, nullptr, &wait);
  return number > 0 ? number : 0;
}

}  // namespace fensi::cli
