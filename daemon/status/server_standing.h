// The state of the servers of this process: the worst that any index knows. Pure, except for reading the runs.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "daemon/indexes/index_run_list.h"

namespace fensi::daemon {

/// The moment of an answer.
struct StatusTime {
  std::chrono::milliseconds since_boot{0};
  int64_t wall_millis = 0;
};

struct ServerStanding {
  std::string address;
  std::optional<bool> reachable = {};     // absent: not asked yet
  std::chrono::milliseconds silent{0};    // how long it has been unreachable
  std::vector<std::string> waiting = {};  // indexes that do not reach it
  std::string why = {};                   // last error of the index that has waited longest; for the store only
  bool reached = false;                   // another index reaches it

  bool away() const { return reachable && !*reachable; }
};

/// As a person named them.
struct ServerNames {
  std::string kafka;  // its brokers; empty: files are read
  std::string store;  // URL
};
ServerNames NamesOf(const StartOptions& start);

ServerStanding StandingOfKafka(const ServerNames& names, const IndexRuns& runs);
ServerStanding StandingOfStore(const ServerNames& names, const IndexRuns& runs, StatusTime now);

}  // namespace fensi::daemon
