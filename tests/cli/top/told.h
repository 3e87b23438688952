// What daemons say, for tests of `fensi top`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/top/top_figures.h"
#include "operations/status/daemons.h"

namespace fensi::cli {

struct ToldPartition {
  int64_t number = 0, events = 0;
  double seconds = 0;
};

inline nlohmann::ordered_json ToldIndex(const std::string& name, int64_t events,
                                        const std::vector<ToldPartition>& partitions,
                                        const std::string& state = "running") {
  auto list = nlohmann::ordered_json::array();
  for (const ToldPartition& each : partitions) {
    list.push_back({{"partition", each.number},
                    {"lag_records", each.events},
                    {"lag_seconds", each.seconds},
                    {"queue_full", each.events > 1000}});
  }
  return {{"name", name},
          {"state", state},
          {"waits_for", ""},
          {"events", events},
          {"open_dead_letters", {{"rejected", 2}}},
          {"topic_partitions", 4},
          {"assigned_partitions", partitions.size()},
          {"partitions", list}};
}

inline operations::Daemon ToldBy(const std::string& place, const std::vector<nlohmann::ordered_json>& indexes) {
  return {place, {{"format", 1}, {"process", {{"pid", 1}}}, {"indexes", indexes}}};
}

/// So many seconds after boot.
inline void Told(int64_t seconds, operations::Daemons daemons, TopFigures* figures) {
  figures->Take(std::chrono::seconds(seconds), Result<operations::Daemons>(std::move(daemons)));
}

}  // namespace fensi::cli
