// Notices that a server is unreachable, and that it is reachable again: one line of the log for each.
//
// Pure; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cli/log/log_entry.h"

namespace fensi::cli {

class OutageWatch {
 public:
  /// Shorter silences are no outage: a broker that restarts, a region that moves.
  static constexpr std::chrono::milliseconds kShortestOutage{5'000};

  struct Sight {
    bool away = false;
    std::chrono::milliseconds silent{0};  // how long it has been away
    std::string waits;                    // what the outage keeps from work: "indexes a, b wait"
    int64_t wall_millis = 0;
  };

  /// `server`: "Kafka"; `address`: "b1:9092".
  OutageWatch(std::string server, std::string address) : server_(std::move(server)), address_(std::move(address)) {}

  /// Call it often. The line that is due, if one is.
  std::optional<LogEntry> Note(const Sight& sight);

 private:
  const std::string server_;
  const std::string address_;
  std::optional<int64_t> away_since_;  // milliseconds since the epoch; absent: no outage was told
};

}  // namespace fensi::cli
