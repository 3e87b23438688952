// What systemd is told of a daemon whose unit has Type=notify: that it is ready, what it waits for, that it lives, that
// it ends. Started by anybody else it tells nobody.
//
// It is ready when the probe of readiness says so for the first time. While it starts it asks for more time as long as
// it is healthy, and the watchdog is fed as long as it is: what a restart cures, and nothing else, leads to one.
//
// One thread; never blocks. Its words are those of the probes: facts, and no row keys.
#pragma once

#include <chrono>
#include <string>

#include "admin/status_source.h"
#include "base/clock.h"
#include "cli/service/notify_socket.h"

namespace fensi::cli {

struct ServiceManager {
  std::string socket;                     // empty: there is none
  std::chrono::milliseconds watchdog{0};  // how long it waits for a sign of life; 0: it does not
};

/// By NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
ServiceManager ManagerOfEnvironment();

class ServiceReport {
 public:
  /// Both outlive it.
  ServiceReport(const admin::StatusSource* source, Clock* clock, const ServiceManager& manager);

  /// The main thread turns; call it many times a second.
  void Tick();
  /// It is at work, whatever it still waits for.
  void NoteReady();
  /// It was asked to end. Tick goes on to feed the watchdog.
  void NoteStop();

 private:
  /// READY=1 once, or a wish for more time.
  std::string Progress(bool waits, bool healthy) const;

  const admin::StatusSource* const source_;
  Clock* const clock_;
  const NotifySocket socket_;
  const bool watched_;
  const std::chrono::milliseconds period_;
  std::chrono::milliseconds next_{0};
  bool ready_ = false;
  bool stopping_ = false;
  std::string told_;  // the STATUS that it has
};

}  // namespace fensi::cli
