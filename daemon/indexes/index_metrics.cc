#include "daemon/indexes/index_metrics.h"

#include <algorithm>
#include <atomic>
#include <string>

namespace fensi::daemon {
namespace {

using consumer::PartitionState;
using consumer::StreamState;
using metrics::Snapshot;

std::atomic<size_t> most_partitions = 2000;

double Seconds(int64_t millis) { return static_cast<double>(millis) / 1000; }

void CollectState(const IndexRun& run, Snapshot* out) {
  const std::string now = run.state();
  for (const char* state : kIndexStates) out->Set("fensi_index_state", {run.name(), state}, int64_t{now == state});
  // A pause does not make the entries right, and its own alert waits for an hour.
  if (now == "paused" && run.mismatch_since()) out->Set("fensi_index_state", {run.name(), "mismatch"}, int64_t{1});
  const mapping::Index& index = run.index();
  out->Set("fensi_index_info",
           {run.name(), index.source_table(), index.table(), index.topic(), index.group(), index.fingerprint()},
           int64_t{1});
}

void CollectCounts(const IndexRun& run, Snapshot* out) {
  const std::string& name = run.name();
  const indexer::Counters counts = run.counts();
  out->Set("fensi_events_total", {name}, counts.events);
  out->Set("fensi_consumed_bytes_total", {name}, counts.consumed_bytes);
  out->Set("fensi_batches_total", {name}, counts.batches);
  out->Set("fensi_skipped_events_total", {name}, counts.skipped);
  out->Set("fensi_mutations_total", {name, "put"}, counts.puts);
  out->Set("fensi_mutations_total", {name, "delete"}, counts.deletes);
  out->Set("fensi_state_lookups_total", {name, "cache"}, counts.units_cached);
  out->Set("fensi_state_lookups_total", {name, "skipped"}, counts.units_skipped);
  out->Set("fensi_state_lookups_total", {name, "read"}, counts.units_read);
  out->Set("fensi_source_reads_total", {name}, counts.source_reads);
  for (size_t i = 0; i < indexer::kLetterKinds; ++i) {
    out->Set("fensi_dead_letters_total", {name, indexer::kLetterKindNames[i]}, counts.letters_of[i]);
  }
}

/// An index without changelog has none of these.
void CollectChangelog(const IndexRun& run, Snapshot* out) {
  if (run.index().changelog() == nullptr) return;
  const indexer::Counters counts = run.counts();
  out->Set("fensi_changelog_messages_total", {run.name()}, counts.changelog_messages);
  out->Set("fensi_changelog_escaped_values_total", {run.name()}, counts.changelog_escaped);
  out->Set("fensi_changelog_too_large_total", {run.name()}, counts.changelog_too_large);
}

void CollectTimings(const IndexRun& run, Snapshot* out) {
  const indexer::Timings& timings = run.timings();
  for (size_t i = 0; i < indexer::kPhases; ++i) {
    out->Set("fensi_phase_seconds", {run.name(), indexer::kPhaseNames[i]}, timings.phases[i].snapshot());
  }
  out->Set("fensi_event_delay_seconds", {run.name(), "write"}, timings.since_write.snapshot());
  out->Set("fensi_event_delay_seconds", {run.name(), "append"}, timings.since_append.snapshot());
}

void CollectStore(const IndexRun& run, Snapshot* out) {
  const store::StoreMetrics& measures = run.store_measures();
  for (size_t call = 0; call < store::kCallKinds; ++call) {
    const char* name = store::kCallKindNames[call];
    out->Set("fensi_store_call_seconds", {run.name(), name}, measures.seconds[call].snapshot());
    for (size_t kind = 0; kind < store::kFailureKinds; ++kind) {
      out->Set("fensi_store_failures_total", {run.name(), name, store::kFailureKindNames[kind]},
               measures.failures[call][kind].load());
    }
  }
  const store::ConnectionCounts& connections = run.connections();
  out->Set("fensi_store_connects_total", {run.name()}, connections.made.load());
  out->Set("fensi_store_connections", {run.name(), "open"}, connections.open.load());
  out->Set("fensi_store_connections", {run.name(), "busy"}, connections.busy.load());
}

void CollectServers(const IndexRun& run, Snapshot* out) {
  constexpr size_t kMostServers = 500;
  std::vector<store::ServerCalls> servers = run.servers();
  if (servers.size() > kMostServers) servers.resize(kMostServers);
  for (store::ServerCalls& server : servers) {
    const Snapshot::Labels labels = {run.name(), server.address};
    out->Set("fensi_hbase_calls_total", labels, server.calls);
    out->Set("fensi_hbase_unanswered_total", labels, server.unanswered);
    out->Set("fensi_hbase_retries_total", labels, server.retries);
    for (const auto& [name, count] : server.errors) {
      out->Set("fensi_hbase_errors_total", {run.name(), server.address, name}, count);
    }
    out->Set("fensi_hbase_calls", {run.name(), server.address, "in_flight"}, server.in_flight);
    out->Set("fensi_hbase_calls", {run.name(), server.address, "waiting"}, server.waiting);
    out->Set("fensi_hbase_call_seconds", labels, std::move(server.seconds));
  }
}

void CollectPartition(const std::string& name, const PartitionState& partition, int64_t now, Snapshot* out) {
  const std::string number = std::to_string(partition.partition);
  out->Set("fensi_applied_offset", {name, number}, partition.applied);
  if (partition.committed) out->Set("fensi_committed_offset", {name, number}, *partition.committed);
  out->Set("fensi_log_end_offset", {name, number}, partition.log_end);
  out->Set("fensi_lag_records", {name, number}, partition.log_end - partition.applied);
  if (const auto lag = LagSeconds(partition, now)) out->Set("fensi_lag_seconds", {name, number}, *lag);
}

void CollectGroup(const std::string& name, const StreamState& stream, Snapshot* out) {
  out->Set("fensi_rebalances_total", {name, "assigned"}, stream.assignments);
  out->Set("fensi_rebalances_total", {name, "revoked"}, stream.revocations);
  out->Set("fensi_rebalances_total", {name, "lost"}, stream.losses);
  out->Set("fensi_fenced_total", {name}, stream.fenced);
  out->Set("fensi_commit_failures_total", {name}, stream.commit_failures);
  if (stream.last_commit) out->Set("fensi_last_commit_timestamp_seconds", {name}, Seconds(*stream.last_commit));
}

/// An index that has ended queries no server.
void CollectReachable(const IndexRun& run, Snapshot* out) {
  if (run.ended()) return;
  if (const auto kafka = run.stream().reachable) out->Set("fensi_reachable", {run.name(), "kafka"}, int64_t{*kafka});
  out->Set("fensi_reachable", {run.name(), "store"}, int64_t{run.reached() && !run.store_away_since()});
}

void CollectStream(const std::string& name, const StreamState& stream, int64_t now, Snapshot* out) {
  CollectGroup(name, stream, out);
  out->Set("fensi_assigned_partitions", {name}, int64_t{stream.assigned});
  if (stream.topic_partitions > 0) out->Set("fensi_topic_partitions", {name}, int64_t{stream.topic_partitions});
  if (stream.retention_ms) out->Set("fensi_topic_retention_seconds", {name}, Seconds(*stream.retention_ms));
  if (stream.log_end_checked) {
    out->Set("fensi_log_end_checked_timestamp_seconds", {name}, Seconds(*stream.log_end_checked));
  }
  if (const auto fresh = FreshUntil(stream)) {
    out->Set("fensi_fresh_until_timestamp_seconds", {name}, Seconds(*fresh));
  }
  out->Set("fensi_held_bytes", {name}, static_cast<int64_t>(stream.held_bytes));
  out->Set("fensi_held_bytes_limit", {name}, static_cast<int64_t>(stream.held_limit));
  const auto& partitions = stream.partitions;
  const auto full = std::count_if(partitions.begin(), partitions.end(), [](const auto& each) { return each.full; });
  out->Set("fensi_paused_partitions", {name, "full"}, int64_t{full});
  out->Set("fensi_paused_partitions", {name, "operator"}, int64_t{stream.at_rest ? stream.assigned : 0});
  const size_t shown = std::min(partitions.size(), MostPartitions());
  for (size_t i = 0; i < shown; ++i) CollectPartition(name, partitions[i], now, out);
  out->Set("fensi_hidden_partitions", {name}, static_cast<int64_t>(partitions.size() - shown));
}

void CollectLoads(const IndexRun& run, const LoadCounts& loads, Snapshot* out) {
  out->Set("fensi_bulk_loads_total", {run.name()}, run.counts().bulk_loads);
  out->Set("fensi_bulk_loads_waiting", {run.name()}, loads.now.waiting);
  if (loads.now.since)
    out->Set("fensi_bulk_load_waits_since_timestamp_seconds", {run.name()}, Seconds(*loads.now.since));
  out->Set("fensi_bulk_load_failures_total", {run.name()}, loads.failures);
}

void CollectScrub(const std::string& name, const ScrubCounts& counts, Snapshot* out) {
  out->Set("fensi_scrub_compared_total", {name, "source_rows"}, counts.rows);
  out->Set("fensi_scrub_compared_total", {name, "index_cells"}, counts.cells);
  out->Set("fensi_scrub_findings_total", {name, "missing"}, counts.missing);
  out->Set("fensi_scrub_findings_total", {name, "orphan"}, counts.orphan);
  out->Set("fensi_scrub_findings_total", {name, "differs"}, counts.differs);
  out->Set("fensi_scrub_failures_total", {name}, counts.failures);
  if (!counts.last) return;
  out->Set("fensi_scrub_last_pass_findings", {name}, counts.last->found());
  out->Set("fensi_scrub_last_pass_timestamp_seconds", {name}, Seconds(counts.last->ended));
}

}  // namespace

size_t MostPartitions() { return most_partitions; }

void SetMostPartitions(size_t most) { most_partitions = most; }

std::optional<double> LagSeconds(const PartitionState& partition, int64_t now) {
  if (partition.applied >= partition.log_end) return 0;
  const std::optional<int64_t> since = partition.oldest_time ? partition.oldest_time : partition.applied_time;
  return since ? std::optional(Seconds(std::max<int64_t>(0, now - *since))) : std::nullopt;
}

std::optional<int64_t> FreshUntil(const StreamState& stream) {
  std::optional<int64_t> least;
  if (static_cast<size_t>(stream.assigned) != stream.partitions.size()) return least;  // one has not begun
  for (const PartitionState& partition : stream.partitions) {
    if (!partition.fresh_until) return std::nullopt;
    least = std::min(least.value_or(*partition.fresh_until), *partition.fresh_until);
  }
  return least;
}

void CollectOpenLetters(const std::string& index, const std::map<std::string, int64_t>& open, Snapshot* snapshot) {
  const auto set = [&](const char* reason) {
    const auto found = open.find(reason);
    snapshot->Set("fensi_open_dead_letters", {index, reason}, found == open.end() ? int64_t{0} : found->second);
  };
  for (const char* reason : indexer::kLetterKindNames) set(reason);
  set("unknown");
}

void CollectIndex(const IndexRun& run, int64_t now, Snapshot* snapshot) {
  CollectState(run, snapshot);
  CollectCounts(run, snapshot);
  CollectChangelog(run, snapshot);
  CollectTimings(run, snapshot);
  CollectStore(run, snapshot);
  CollectServers(run, snapshot);
  CollectReachable(run, snapshot);
  CollectStream(run.name(), run.stream(), now, snapshot);
  if (const auto complete = run.complete()) {
    snapshot->Set("fensi_watermark_timestamp_seconds", {run.name()}, Seconds(*complete));
  }
  if (const auto loads = run.loads()) CollectLoads(run, *loads, snapshot);
  if (const auto scrub = run.scrub()) CollectScrub(run.name(), *scrub, snapshot);
}

}  // namespace fensi::daemon
