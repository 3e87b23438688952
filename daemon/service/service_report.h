// Reports a daemon's state to systemd for a unit with Type=notify: readiness, what it waits for, the watchdog, its end.
// Without systemd it reports nothing.
//
// Ready when the readiness probe succeeds for the first time. While it starts it extends the timeout as long as it is
// healthy, and it feeds the watchdog as long as it is healthy: so only what a restart cures leads to one.
//
// One thread; never blocks. Its texts are those of the probes: facts, and no row keys.
#pragma once

#include <chrono>
#include <string>

#include "admin/status_source.h"
#include "base/clock.h"
#include "daemon/service/notify_socket.h"

namespace fensi::daemon {

struct ServiceManager {
  std::string socket;                     // empty: none
  std::chrono::milliseconds watchdog{0};  // watchdog timeout; 0: none
};

/// By NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
ServiceManager ManagerOfEnvironment();

class ServiceReport {
 public:
  /// Both outlive it.
  ServiceReport(const admin::StatusSource* source, Clock* clock, const ServiceManager& manager);

  /// Called by the main loop many times a second.
  void Tick();
  /// The daemon works, whatever it still waits for.
  void NoteReady();
  /// The daemon was asked to end. Tick continues to feed the watchdog.
  void NoteStop();

 private:
  /// READY=1 once, or an extension of the timeout.
  std::string Progress(bool waits, bool healthy) const;

  const admin::StatusSource* const source_;
  Clock* const clock_;
  const NotifySocket socket_;
  const bool watched_;
  const std::chrono::milliseconds period_;
  std::chrono::milliseconds next_{0};
  bool ready_ = false;
  bool stopping_ = false;
  std::string told_;  // last STATUS that was sent
};

}  // namespace fensi::daemon
