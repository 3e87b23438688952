#include "operations/jobs/signals.h"

#include <pthread.h>

#include <atomic>
#include <csignal>
#include <ctime>
#include <optional>

namespace fensi::operations {
namespace {

using std::chrono::steady_clock;

// `timeout` sends its signal to the program and to the program's group: that is one request.
constexpr std::chrono::milliseconds kOneRequest{500};

std::atomic<bool> stop_was_asked{false};

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  return signals;
}

sigset_t ReloadSignal() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGHUP);
  return signals;
}

int AwaitOneOf(const sigset_t& signals, std::chrono::milliseconds timeout) {
  timespec wait{};
  wait.tv_sec = static_cast<std::time_t>(timeout.count() / 1000);
  wait.tv_nsec = static_cast<long>(timeout.count() % 1000) * 1000000;
  const int number = sigtimedwait(&signals, nullptr, &wait);
  if (number <= 0) return 0;
  if (number == SIGHUP) return number;
  stop_was_asked = true;
  static std::optional<steady_clock::time_point> last;
  const steady_clock::time_point now = steady_clock::now();
  if (last && now - *last < kOneRequest) return 0;
  last = now;
  return number;
}

}  // namespace

bool StopIsAsked() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  return stop_was_asked || sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1;
}

void BlockStopSignals() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

void BlockReloadSignal() {
  const sigset_t signals = ReloadSignal();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

int AwaitStopSignal(std::chrono::milliseconds timeout) { return AwaitOneOf(StopSignals(), timeout); }

int AwaitSignal(std::chrono::milliseconds timeout) {
  sigset_t signals = StopSignals();
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  if (sigismember(&blocked, SIGHUP) == 1) sigaddset(&signals, SIGHUP);
  return AwaitOneOf(signals, timeout);
}

}  // namespace fensi::operations
