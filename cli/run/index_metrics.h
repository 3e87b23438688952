// One index in numbers: every series of the table that has its name. Pure, but for the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cli/run/index_run.h"
#include "metrics/snapshot.h"

namespace fensi::cli {

/// Partitions with series of their own, of each index: the lowest numbers (--metrics_partitions).
size_t MostPartitions();
void SetMostPartitions(size_t most);

/// `now`: milliseconds since the epoch.
void CollectIndex(const IndexRun& run, int64_t now, metrics::Snapshot* snapshot);

/// By reason; one that is not there is 0.
void CollectOpenLetters(const std::string& index, const std::map<std::string, int64_t>& open,
                        metrics::Snapshot* snapshot);

/// The age of what waits, or 0 at the end of the log; absent: nothing is known of it.
std::optional<double> LagSeconds(const consumer::PartitionState& partition, int64_t now);

/// The least of the partitions; absent when one does not know.
std::optional<int64_t> FreshUntil(const consumer::StreamState& stream);

}  // namespace fensi::cli
