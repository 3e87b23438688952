#include "metrics/table.h"

#include <algorithm>

namespace fensi::metrics {
namespace {

constexpr Type kCounter = Type::kCounter;
constexpr Type kGauge = Type::kGauge;
constexpr Type kHistogram = Type::kHistogram;

constexpr Metric kTable[] = {
    {"fensi_build_info", kGauge, "version,revision,librdkafka",
     "always 1. The labels have the version of fensi, its commit, and the version of the Kafka client"},
    {"process_cpu_seconds_total", kCounter, "", "processor time of the process, user and system together"},
    {"process_resident_memory_bytes", kGauge, "", "memory of the process that is in RAM"},
    {"process_open_fds", kGauge, "", "open file descriptors of the process"},
    {"process_max_fds", kGauge, "", "limit of process_open_fds"},
    {"process_start_time_seconds", kGauge, "", "start time of the process, in seconds since the epoch"},

    {"fensi_config_last_reload_successful", kGauge, "",
     "result of the last read of the mapping files, at the start or by a reload. 1: the files are in effect. 0: the "
     "log has the reason why not"},
    {"fensi_config_last_reload_success_timestamp_seconds", kGauge, "",
     "time of the last successful read of the mapping files, in seconds since the epoch"},
    {"fensi_config_info", kGauge, "hash",
     "always 1. `hash` (12 hex digits) is a digest of the effective flags and mappings. Daemons with the same "
     "configuration have the same hash"},

    {"fensi_index_state", kGauge, "index,state=starting|running|waiting|paused|mismatch|stopped|finished",
     "1 for the state of the index, else 0. `waiting`: no partition here. `paused`: by a person, perhaps beside "
     "`mismatch`. `mismatch`: the table was recreated, and no verify or repair of all rows has succeeded since. "
     "`stopped`: see the log"},
    {"fensi_index_info", kGauge, "index,source,table,topic,group,fingerprint",
     "always 1. The labels have the source table, index table, topic, consumer group and the digest of the definition"},
    {"fensi_topic_partitions", kGauge, "index", "partitions of the topic. Absent until a partition was assigned"},
    {"fensi_topic_retention_seconds", kGauge, "index",
     "time for which the topic keeps messages, read from the broker at most ten minutes ago. Absent if the topic "
     "keeps messages for ever, or if the time is unknown"},
    {"fensi_assigned_partitions", kGauge, "index", "partitions of the topic that are assigned to this process"},
    {"fensi_events_total", kCounter, "index",
     "messages of the stream in acknowledged batches. Messages of other tables count too"},
    {"fensi_consumed_bytes_total", kCounter, "index", "bytes of keys and values of the messages in fensi_events_total"},
    {"fensi_batches_total", kCounter, "index", "acknowledged batches"},
    {"fensi_skipped_events_total", kCounter, "index", "messages in fensi_events_total that are of other tables"},
    {"fensi_mutations_total", kCounter, "index,op=put|delete",
     "acknowledged puts and deletes of cells of index tables"},
    {"fensi_changelog_messages_total", kCounter, "index",
     "envelopes that were written to the changelog topic, without their tombstones"},
    {"fensi_changelog_escaped_values_total", kCounter, "index",
     "values in changelog messages that are not UTF-8 text, and are written with escapes"},
    {"fensi_changelog_too_large_total", kCounter, "index",
     "changelog messages that the topic does not take. Each is a dead letter"},
    {"fensi_dead_letters_total", kCounter,
     "index,reason=undecodable|unmappable|rejected|source_required|outside_retention",
     "durable dead letters. `undecodable`: no event. `unmappable`: the mapping should give an entry, and cannot. "
     "`rejected`: the store never takes the cell. `source_required`: event and row state do not give the entry. "
     "`outside_retention`: the period may have no entry"},
    {"fensi_open_dead_letters", kGauge,
     "index,reason=undecodable|unmappable|rejected|source_required|outside_retention|unknown",
     "dead letters of all processes that no person has retried or discarded. Each daemon of the index shows the same "
     "number, at most about 30 s old. Absent if the dead letters cannot be read"},
    {"fensi_state_lookups_total", kCounter, "index,outcome=cache|skipped|read",
     "lookups of row states. `cache`: the state was in memory. `skipped`: fensi read nothing, because certainly no "
     "state exists. `read`: the state was read from the state table"},
    {"fensi_source_reads_total", kCounter, "index",
     "rows that were read from the source table because of ambiguous events"},
    {"fensi_phase_seconds", kHistogram,
     "index,phase=decode|read_state|plan|read_source|write_intents|changelog|write_puts|write_deletes|write_states|"
     "dead_letters",
     "observed for each batch: time in each phase, including repetitions of calls. The sum of the phases is the time "
     "of the batch"},
    {"fensi_event_delay_seconds", kHistogram, "index,since=write|append",
     "observed when an event is acknowledged. `write`: time since HBase wrote the event. `append`: time since the "
     "timestamp of the Kafka message. Events without this time are left out"},
    {"fensi_applied_offset", kGauge, "index,partition", "all messages below this offset are in the index"},
    {"fensi_committed_offset", kGauge, "index,partition",
     "offset at which the next owner begins. Absent until an offset was committed"},
    {"fensi_log_end_offset", kGauge, "index,partition", "end of the partition's log at the last answer of the broker"},
    {"fensi_lag_records", kGauge, "index,partition", "fensi_log_end_offset minus fensi_applied_offset"},
    {"fensi_lag_seconds", kGauge, "index,partition",
     "0 if the log is applied to its end. Otherwise the age, by Kafka timestamps, of the oldest fetched and unapplied "
     "message. If none is fetched, of the newest applied message: this age rises while nothing moves. Absent if "
     "unknown"},
    {"fensi_fresh_until_timestamp_seconds", kGauge, "index",
     "the index has everything that Kafka's log had at this time: the minimum over the partitions of this process. "
     "Absent while the time of a partition is unknown. Never falls while a partition is assigned"},
    {"fensi_watermark_timestamp_seconds", kGauge, "index",
     "the watermark: the index has every change that HBase acknowledged up to this time, in seconds since the epoch, "
     "as this process read or wrote it last. Absent without watermarks"},
    {"fensi_log_end_checked_timestamp_seconds", kGauge, "index",
     "time at which the broker last reported the end of the log, in seconds since the epoch: the oldest such time of "
     "the partitions of this process. Absent until the ends of all these partitions were reported"},
    {"fensi_last_commit_timestamp_seconds", kGauge, "index",
     "time of the last successful commit of an offset, in seconds since the epoch. Absent until the first commit"},
    {"fensi_held_bytes", kGauge, "index", "bytes of messages that are queued or in flight"},
    {"fensi_held_bytes_limit", kGauge, "index",
     "limit of fensi_held_bytes. The Kafka client may hold as many bytes in addition"},
    {"fensi_paused_partitions", kGauge, "index,cause=full|operator",
     "partitions from which fensi fetches nothing. `full`: the queue of the partition is full. `operator`: a person "
     "has paused the index"},
    {"fensi_rebalances_total", kCounter, "index,kind=assigned|revoked|lost",
     "rebalances of the consumer group. `assigned`: the group assigned partitions to this process. `revoked`: the "
     "group asked for partitions back, and this process could finish its work. `lost`: the group had already given "
     "the partitions to other processes"},
    {"fensi_fenced_total", kCounter, "index",
     "times that this process gave up the right to all partitions, because its poll thread or the coordinator was "
     "silent"},
    {"fensi_commit_failures_total", kCounter, "index",
     "failed commits of offsets. The offset is committed later, or the work is repeated"},
    {"fensi_reachable", kGauge, "index,server=kafka|store",
     "1 if the server is reachable. `kafka`: a broker is connected. `store`: 0 until the first answer of the store, "
     "and while fensi repeats a call that the store did not answer. Absent after the index has ended"},
    {"fensi_store_call_seconds", kHistogram, "index,call=put|delete|get|scan|admin",
     "observed for each call of the store, which may have many rows. Each attempt of a repeated call is observed"},
    {"fensi_store_failures_total", kCounter,
     "index,call=put|delete|get|scan|admin,kind=unavailable|rejected|permission|other",
     "failed calls. `unavailable`: fensi repeats the call. `rejected`: the store refused some rows of the call for "
     "good, and wrote all others"},
    {"fensi_store_connects_total", kCounter, "index",
     "connections that were opened to the gateway. If the number grows fast, the gateway or a proxy closes "
     "connections. 0 for an embedded store"},
    {"fensi_store_connections", kGauge, "index,state=open|busy",
     "connections to the gateway, at most --connections. `open`: connections that exist. `busy`: connections that a "
     "call uses, or that are being opened for a call"},
    {"fensi_hbase_calls_total", kCounter, "index,server",
     "calls that were sent to a server of HBase. The metrics fensi_hbase_ exist only for stores with hbase://, for "
     "the first 500 servers in the order of their addresses"},
    {"fensi_hbase_unanswered_total", kCounter, "index,server",
     "calls in fensi_hbase_calls_total without an answer: the connection ended, or the call timed out"},
    {"fensi_hbase_retries_total", kCounter, "index,server",
     "repeated calls of gets, puts, deletes, scans and read points. The call before had no answer, or an exception as "
     "its answer"},
    {"fensi_hbase_errors_total", kCounter, "index,server,exception",
     "exceptions that HBase answered, by class. Exceptions for moved regions and busy servers are normal: fensi "
     "repeats the call"},
    {"fensi_hbase_calls", kGauge, "index,server,state=in_flight|waiting",
     "calls at this moment. `in_flight`: sent, and not answered. `waiting`: not sent, because too many calls to the "
     "server are in flight"},
    {"fensi_hbase_call_seconds", kHistogram, "index,server",
     "observed for each answered call: time since the call was sent"},
    {"fensi_bulk_loads_total", kCounter, "index",
     "bulk loads into regions that this process has met in the stream and recorded. A load that HBase reports again "
     "counts again"},
    {"fensi_bulk_loads_waiting", kGauge, "index",
     "loaded regions of the index whose rows are not read and applied yet. All daemons of the index report the same"},
    {"fensi_bulk_load_waits_since_timestamp_seconds", kGauge, "index",
     "when a daemon met the oldest of these loads last. No series: none waits"},
    {"fensi_bulk_load_failures_total", kCounter, "index",
     "attempts of this process to read the rows of bulk loads that failed. It tries again every 10 s"},
    {"fensi_scrub_compared_total", kCounter, "index,of=source_rows|index_cells",
     "source rows and index cells that the scrub of this process has compared. The metrics fensi_scrub_ exist only "
     "with --scrub_rows_per_second"},
    {"fensi_scrub_findings_total", kCounter, "index,kind=missing|orphan|differs",
     "differences that the scrub of this process found. A difference counts again in each pass"},
    {"fensi_scrub_failures_total", kCounter, "index",
     "times that the scrub failed and had to wait. The log has the reason"},
    {"fensi_scrub_last_pass_findings", kGauge, "index",
     "differences that the last complete pass found, in any process. Absent until this process knows such a pass"},
    {"fensi_scrub_last_pass_timestamp_seconds", kGauge, "index",
     "end of the pass in fensi_scrub_last_pass_findings, in seconds since the epoch"},
    {"fensi_capture_calls_total", kCounter, "outcome=acknowledged|refused",
     "replication calls of region servers. If a call is `refused`, HBase sends the call again"},
    {"fensi_capture_entries_total", kCounter, "kind=new|again|other_table",
     "acknowledged entries of HBase's log. `new`: for the first time. `again`: HBase has sent the entry before. "
     "`other_table`: of a table that is not captured"},
    {"fensi_capture_events_total", kCounter, "table", "change events that Kafka has acknowledged"},
    {"fensi_capture_cells_total", kCounter, "table", "cells of the events in fensi_capture_events_total"},
    {"fensi_capture_bulk_loads_total", kCounter, "table",
     "bulk loads into regions that Kafka has acknowledged. Each region that gets files counts once"},
    {"fensi_capture_alarms_total", kCounter,
     "kind=region_server_refused|nothing_acknowledged|unreadable_call|large_cell|dropped_table|cell_"
     "visibility_ignored|topic_lost",
     "alarms, by the name of their event in the log (docs/logs.md). Alarms without a line in the log count too"},
    {"fensi_capture_call_seconds", kHistogram, "",
     "observed when a replication call is acknowledged: time from the receipt of the call to its answer"},
    {"fensi_capture_delay_seconds", kHistogram, "table",
     "observed when a replication call is acknowledged: time since HBase wrote the newest entry of this table in the "
     "call"},
    {"fensi_capture_newest_write_timestamp_seconds", kGauge, "table",
     "time at which HBase wrote the newest entry that Kafka has acknowledged. Absent until the first entry"},
    {"fensi_capture_in_hand_bytes", kGauge, "", "bytes of replication calls that are in flight"},
    {"fensi_capture_in_hand_bytes_limit", kGauge, "", "limit of fensi_capture_in_hand_bytes"},
    {"fensi_capture_unacknowledged_messages", kGauge, "", "messages that Kafka has not acknowledged yet"},
    {"fensi_capture_connections", kGauge, "", "open connections of region servers"},
    {"fensi_capture_connections_total", kCounter, "", "connections that region servers have opened"},
    {"fensi_capture_refused_peers_total", kCounter, "",
     "refused connections from addresses that --allow_from does not have"},
    {"fensi_capture_registered", kGauge, "", "1 while region servers can find the capture in ZooKeeper"},
    {"fensi_capture_kafka_reachable", kGauge, "",
     "0 if Kafka has not answered for 10 s, else 1. While the value is 0, HBase keeps its logs"},
    {"fensi_hidden_partitions", kGauge, "index",
     "partitions without series of their own: all partitions after the first --metrics_partitions"},
};

}  // namespace

std::span<const Metric> Table() { return kTable; }

const Metric* FindMetric(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kTable), std::end(kTable), [&](const Metric& each) { return each.name == name; });
  return found == std::end(kTable) ? nullptr : found;
}

std::string_view TypeName(Type type) {
  return type == Type::kCounter ? "counter" : type == Type::kGauge ? "gauge" : "histogram";
}

}  // namespace fensi::metrics
