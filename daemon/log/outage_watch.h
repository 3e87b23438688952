// Detects that a server is unreachable, and that it is reachable again: one line of the log for each.
//
// Pure; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "daemon/log/log_entry.h"

namespace fensi::daemon {

class OutageWatch {
 public:
  /// Shorter silences are no outage: a broker that restarts, a region that moves.
  static constexpr std::chrono::milliseconds kShortestOutage{5'000};

  struct Sight {
    bool away = false;
    std::chrono::milliseconds silent{0};  // how long it has been unreachable
    std::string waits;                    // work that the outage blocks: "indexes a, b wait"
    int64_t wall_millis = 0;
  };

  /// `server`: "Kafka"; `address`: "b1:9092".
  OutageWatch(std::string server, std::string address) : server_(std::move(server)), address_(std::move(address)) {}

  /// Call it often. Returns the due line, if there is one.
  std::optional<LogEntry> Note(const Sight& sight);

 private:
  const std::string server_;
  const std::string address_;
  std::optional<int64_t> away_since_;  // milliseconds since the epoch; absent: no outage was reported
};

}  // namespace fensi::daemon
