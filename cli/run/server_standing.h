// How the servers of this process stand: the worst that any index knows of them. Pure, but for what runs tell of
// themselves.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/run/index_run_list.h"

namespace fensi::cli {

/// The moment of an answer.
struct StatusTime {
  std::chrono::milliseconds since_boot{0};
  int64_t wall_millis = 0;
};

struct ServerStanding {
  std::string address;
  std::optional<bool> reachable = {};     // absent: nobody has asked it yet
  std::chrono::milliseconds silent{0};    // how long it has been unreachable
  std::vector<std::string> waiting = {};  // indexes that do not reach it
  std::string why = {};                   // last error of the index that has waited longest; for the store only
  bool reached = false;                   // another index reaches it

  bool away() const { return reachable && !*reachable; }
};

ServerStanding StandingOfKafka(const IndexRuns& runs);
ServerStanding StandingOfStore(const IndexRuns& runs, StatusTime now);

}  // namespace fensi::cli
