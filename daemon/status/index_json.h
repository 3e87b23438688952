// One index, and the servers of all, as JSON for /status. Texts are made of facts, never of messages, which may name
// rows. Pure, except for reading the runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "daemon/indexes/index_run_list.h"
#include "daemon/status/run_history.h"
#include "daemon/status/server_standing.h"

namespace fensi::daemon {

/// `open_letters`: absent if they were not counted.
nlohmann::ordered_json IndexJson(const IndexRun& run, const RunPast& past,
                                 const std::optional<std::map<std::string, int64_t>>& open_letters, StatusTime now);

/// Kafka and the store, each with the worst state of any index.
nlohmann::ordered_json ServersJson(const ServerNames& names, const IndexRuns& runs, StatusTime now);

/// "12 s"
std::string SecondsText(std::chrono::milliseconds time);

/// What keeps the index from working, or empty. `limit`: allowed silence of a server.
std::string WhyNotReady(const IndexRun& run, std::chrono::milliseconds now,
                        std::chrono::milliseconds limit = std::chrono::seconds(60));

}  // namespace fensi::daemon
