// One index, and the servers of all, as /status shows them. Words are made of facts, never of messages: those may name
// rows. Pure, but for what a run tells of itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "cli/run/index_run_list.h"
#include "cli/run/run_history.h"
#include "cli/run/server_standing.h"

namespace fensi::cli {

/// `open_letters`: absent where nobody has counted them.
nlohmann::ordered_json IndexJson(const IndexRun& run, const RunPast& past,
                                 const std::optional<std::map<std::string, int64_t>>& open_letters, StatusTime now);

/// Kafka and the store, with the worst that any index knows of them.
nlohmann::ordered_json ServersJson(const IndexRuns& runs, StatusTime now);

/// "12 s"
std::string SecondsText(std::chrono::milliseconds time);

/// What keeps the index from work, or empty. `limit`: how long a server may be silent before.
std::string WhyNotReady(const IndexRun& run, std::chrono::milliseconds now,
                        std::chrono::milliseconds limit = std::chrono::seconds(60));

}  // namespace fensi::cli
