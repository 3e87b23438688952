#include "metrics/table.h"

#include <algorithm>
#include <array>

namespace fensi::metrics {
namespace {

constexpr Type kCounter = Type::kCounter;
constexpr Type kGauge = Type::kGauge;
constexpr Type kHistogram = Type::kHistogram;

constexpr Metric kTable[] = {
    {"fensi_build_info", kGauge, "version,revision,librdkafka",
     "1; which fensi this is, of which commit, with which client of Kafka"},
    {"process_cpu_seconds_total", kCounter, "", "processor time of the process, user and system together"},
    {"process_resident_memory_bytes", kGauge, "", "memory of the process that is in RAM"},
    {"process_open_fds", kGauge, "", "file descriptors that are open"},
    {"process_max_fds", kGauge, "", "file descriptors that may be open"},
    {"process_start_time_seconds", kGauge, "", "when the process began, in seconds since the epoch"},

    {"fensi_config_last_reload_successful", kGauge, "",
     "1: the mapping files were taken when they were last read, at the start or by a reload; 0: the log says why not"},
    {"fensi_config_last_reload_success_timestamp_seconds", kGauge, "",
     "when mapping files were last taken, in seconds since the epoch"},
    {"fensi_config_info", kGauge, "hash",
     "1; of flags and mappings, as they count now: of two daemons that are configured alike the same (12 hex digits)"},

    {"fensi_index_state", kGauge, "index,state=starting|running|waiting|paused|mismatch|stopped|finished",
     "1 for the state of the index, 0 for the others; waiting: it has no partition; paused: by a person; mismatch: "
     "its table was made again, and nobody has proved the index since; stopped: the log says why"},
    {"fensi_index_info", kGauge, "index,source,table,topic,group,fingerprint", "1; what the index is made of"},
    {"fensi_topic_partitions", kGauge, "index", "partitions of the topic; absent until one was assigned"},
    {"fensi_topic_retention_seconds", kGauge, "index",
     "how long the topic keeps messages, as its broker told at most ten minutes ago; absent: for ever, or not known"},
    {"fensi_assigned_partitions", kGauge, "index", "partitions of the topic that this process has"},
    {"fensi_events_total", kCounter, "index",
     "messages of the stream whose batch is acknowledged, those of other tables too"},
    {"fensi_consumed_bytes_total", kCounter, "index", "keys and values of those messages"},
    {"fensi_batches_total", kCounter, "index", "batches that are acknowledged"},
    {"fensi_skipped_events_total", kCounter, "index", "of the messages, events of other tables"},
    {"fensi_mutations_total", kCounter, "index,op=put|delete", "cells of index tables whose write is acknowledged"},
    {"fensi_dead_letters_total", kCounter,
     "index,reason=undecodable|unmappable|rejected|source_required|outside_retention",
     "dead letters that are durable: the bytes are no event; the row gives no entry; the store never takes the cell; "
     "what is remembered does not say what is visible, or does not fit; its period may have no entry"},
    {"fensi_open_dead_letters", kGauge,
     "index,reason=undecodable|unmappable|rejected|source_required|outside_retention|unknown",
     "dead letters that nobody has retried or discarded, whichever process wrote them; each daemon of the index shows "
     "the same, at most some 30 s old; absent: they cannot be read"},
    {"fensi_state_lookups_total", kCounter, "index,outcome=cache|skipped|read",
     "units whose state was wanted: it was remembered, surely was none, or was read from the state table"},
    {"fensi_source_reads_total", kCounter, "index", "rows of the source table that were read for units in doubt"},
    {"fensi_phase_seconds", kHistogram,
     "index,phase=decode|read_state|plan|read_source|write_intents|write_puts|write_deletes|write_states|dead_letters",
     "of each batch the time in each phase, repeated calls included; all phases together are the batch"},
    {"fensi_event_delay_seconds", kHistogram, "index,since=write|append",
     "of each event at its acknowledgement: time since HBase wrote it, and since Kafka's time of the message; what has "
     "no "
     "such time is not observed"},
    {"fensi_applied_offset", kGauge, "index,partition", "everything below is in the index"},
    {"fensi_committed_offset", kGauge, "index,partition",
     "where the next owner begins; absent until something was committed"},
    {"fensi_log_end_offset", kGauge, "index,partition", "where the log ends, as last told"},
    {"fensi_lag_records", kGauge, "index,partition", "log end less applied"},
    {"fensi_lag_seconds", kGauge, "index,partition",
     "0 at the end of the log; else the age of the oldest message that is fetched and not applied, or else of the "
     "newest "
     "that is applied, by Kafka's times; grows while nothing moves; absent when neither is known"},
    {"fensi_fresh_until_timestamp_seconds", kGauge, "index",
     "everything that Kafka's log had by then is in the index: the least of the partitions here; absent when one does "
     "not "
     "know, never falls while a partition is assigned"},
    {"fensi_log_end_checked_timestamp_seconds", kGauge, "index",
     "when the ends of all logs here were told last, in seconds since the epoch; absent until all were"},
    {"fensi_last_commit_timestamp_seconds", kGauge, "index", "when a commit succeeded last; absent until one has"},
    {"fensi_held_bytes", kGauge, "index", "messages that are queued or in flight"},
    {"fensi_held_bytes_limit", kGauge, "index",
     "how many there may be; what the client has fetched ahead is as much again"},
    {"fensi_paused_partitions", kGauge, "index,cause=full|operator",
     "partitions that are not read on because their queue is full; that rest because a person has paused the index"},
    {"fensi_rebalances_total", kCounter, "index,kind=assigned|revoked|lost",
     "times that the group gave partitions, took them with a farewell, or had given them away before"},
    {"fensi_fenced_total", kCounter, "index",
     "times that the right to all partitions ended because the poll thread or the coordinator was silent"},
    {"fensi_commit_failures_total", kCounter, "index",
     "commits that failed; what they held is committed later, or done again"},
    {"fensi_reachable", kGauge, "index,server=kafka|store",
     "kafka: a broker is connected; store: it has answered, and no call is being repeated without an answer; absent "
     "once the index has ended"},
    {"fensi_store_call_seconds", kHistogram, "index,call=put|delete|get|scan|admin",
     "one call of the store, of many rows perhaps; each attempt of a call that is repeated counts"},
    {"fensi_store_failures_total", kCounter,
     "index,call=put|delete|get|scan|admin,kind=unavailable|rejected|permission|other",
     "calls that failed; unavailable ones are repeated, and of a rejected one all other rows were taken"},
    {"fensi_store_connects_total", kCounter, "index",
     "connections to the gateway that came about, none of them to an embedded store; many are a gateway that closes "
     "them, or a proxy between"},
    {"fensi_store_connections", kGauge, "index,state=open|busy",
     "connections to the gateway that stand, of --connections; at work or waiting for an answer, or for a connection"},
    {"fensi_hbase_calls_total", kCounter, "index,server",
     "calls that were sent to a server of HBase; only stores with hbase:// have metrics fensi_hbase_, for the first "
     "500 servers by address"},
    {"fensi_hbase_unanswered_total", kCounter, "index,server",
     "calls of these without an answer: the connection ended, or the time of the call was over"},
    {"fensi_hbase_retries_total", kCounter, "index,server", "calls of these that repeat an unfinished one"},
    {"fensi_hbase_errors_total", kCounter, "index,server,exception",
     "answers that are an exception, by its class; moved regions and busy servers are normal, and calls are repeated"},
    {"fensi_hbase_calls", kGauge, "index,server,state=in_flight|waiting",
     "calls that are sent and not answered; calls that wait until the server has answered another one"},
    {"fensi_hbase_call_seconds", kHistogram, "index,server", "of each answered call the time from its sending"},
    {"fensi_scrub_compared_total", kCounter, "index,of=source_rows|index_cells",
     "rows of the source and cells of the index that the scrub of this process has compared; of all fensi_scrub_ none "
     "is "
     "there without --scrub_rows_per_second"},
    {"fensi_scrub_findings_total", kCounter, "index,kind=missing|orphan|differs",
     "differences that it found, in each pass again while they last"},
    {"fensi_scrub_failures_total", kCounter, "index", "times that it could not go on, and waited; the log says why"},
    {"fensi_scrub_last_pass_findings", kGauge, "index",
     "differences that the last whole pass found, whichever process ended it; absent until this one knows of one"},
    {"fensi_scrub_last_pass_timestamp_seconds", kGauge, "index", "when that pass ended, in seconds since the epoch"},
    {"fensi_capture_calls_total", kCounter, "outcome=acknowledged|refused",
     "calls of region servers; what is refused, HBase sends again"},
    {"fensi_capture_entries_total", kCounter, "kind=new|again|other_table",
     "entries of HBase's log that are acknowledged: again, when they were before; of tables that are not captured"},
    {"fensi_capture_events_total", kCounter, "table", "change events that Kafka has acknowledged"},
    {"fensi_capture_cells_total", kCounter, "table", "cells of those events"},
    {"fensi_capture_alarms_total", kCounter,
     "kind=region_server_refused|nothing_acknowledged|unreadable_call|large_cell|bulk_load|dropped_table|cell_"
     "visibility_ignored|topic_lost",
     "alarms, by their events in the log (docs/logs.md), also those of which no line tells"},
    {"fensi_capture_call_seconds", kHistogram, "", "of each acknowledged call the time from its frame to its answer"},
    {"fensi_capture_delay_seconds", kHistogram, "table",
     "of each acknowledged call the time since HBase wrote its newest entry of the table"},
    {"fensi_capture_newest_write_timestamp_seconds", kGauge, "table",
     "when HBase wrote the newest entry that Kafka has acknowledged; absent until there is one"},
    {"fensi_capture_in_hand_bytes", kGauge, "", "calls of region servers that are in flight"},
    {"fensi_capture_in_hand_bytes_limit", kGauge, "", "how many there may be"},
    {"fensi_capture_unacknowledged_messages", kGauge, "", "messages that Kafka has not acknowledged yet"},
    {"fensi_capture_connections", kGauge, "", "connections of region servers that are open"},
    {"fensi_capture_connections_total", kCounter, "", "connections of region servers that were opened"},
    {"fensi_capture_refused_peers_total", kCounter, "", "connections from addresses that --allow_from does not have"},
    {"fensi_capture_registered", kGauge, "", "1 while region servers can find the capture in ZooKeeper"},
    {"fensi_capture_kafka_reachable", kGauge, "", "0 when Kafka has not answered for 10 s: HBase keeps its logs"},
    {"fensi_hidden_partitions", kGauge, "index",
     "partitions without series of their own: those above the first --metrics_partitions"},
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
