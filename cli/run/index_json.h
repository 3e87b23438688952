// One index, and the servers of all, as /status shows them. Words are made of facts, never of messages: those may name
// rows. Pure, but for what a run tells of itself.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/run/index_run_list.h"
#include "cli/run/run_history.h"

namespace fensi::cli {

/// The moment of an answer.
struct StatusTime {
  std::chrono::milliseconds since_boot{0};
  int64_t wall_millis = 0;
};

nlohmann::ordered_json IndexJson(const IndexRun& run, const RunPast& past, StatusTime now);

/// Kafka and the store, with the worst that any index knows of them.
nlohmann::ordered_json ServersJson(const IndexRuns& runs, StatusTime now);

/// "12 s"
std::string SecondsText(std::chrono::milliseconds time);

/// What keeps the index from work, or empty.
std::string WhyNotReady(const IndexRun& run, std::chrono::milliseconds now);

}  // namespace fensi::cli
