// The metrics of one index: every series with its name. Pure, except for the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "daemon/indexes/index_run.h"
#include "metrics/snapshot.h"

namespace fensi::daemon {

/// Bound of partitions with series of their own, per index: the lowest numbers (--metrics_partitions).
size_t MostPartitions();
void SetMostPartitions(size_t most);

/// `now`: milliseconds since the epoch.
void CollectIndex(const IndexRun& run, int64_t now, metrics::Snapshot* snapshot);

/// By reason; a missing one is 0.
void CollectOpenLetters(const std::string& index, const std::map<std::string, int64_t>& open,
                        metrics::Snapshot* snapshot);

/// The age of what waits, or 0 at the end of the log; absent: unknown.
std::optional<double> LagSeconds(const consumer::PartitionState& partition, int64_t now);

/// The minimum over the partitions; absent if one is unknown.
std::optional<int64_t> FreshUntil(const consumer::StreamState& stream);

}  // namespace fensi::daemon
