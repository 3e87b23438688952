// Every kind of line in the log of `fensi run` and `fensi capture`. People filter and alert by the names: they never
// change, and docs/logs.md lists them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace fensi::daemon {

enum class LogLevel { kDebug, kInfo, kWarning, kError };
inline constexpr std::array<std::string_view, 4> kLogLevelNames = {"debug", "info", "warning", "error"};

/// How often the same line may come within the window of the log.
enum class Again {
  kHeld,   // any number of times: held, counted, and written at the end of the window
  kPaced,  // seldom, or at a rate of its own: never held
};

struct EventRule {
  std::string_view name = {};
  LogLevel level = LogLevel::kDebug;
  Again again = Again::kHeld;
  std::string_view meaning = {};
};

/// Events of both commands.
inline constexpr auto kCommonEvents = std::to_array<EventRule>({
    {"admin_serving", LogLevel::kInfo, Again::kPaced,
     "the address at which metrics, status and health are served. Nothing to do"},
    {"admin_not_serving", LogLevel::kWarning, Again::kPaced,
     "there is no admin server: `--admin` is not set, and the process cannot listen on a default port (up to 16199), "
     "most often because all are in use"},
    {"stopping", LogLevel::kInfo, Again::kPaced,
     "the process was asked to stop, and finishes the events in flight (a capture: the calls in flight). If no "
     "person meant this, start the process again"},
    {"command_failed", LogLevel::kError, Again::kPaced,
     "the command ends with this error, and `code` is the kind of the error"},
    {"kafka_client", LogLevel::kDebug, Again::kHeld,
     "a message of Kafka's client library, only if the process was started with `--log_level=debug`. Nothing to "
     "do: if Kafka harms an index, `server_unreachable`, `partitions_lost` or `nothing_acknowledged` says so"},

    {"server_unreachable", LogLevel::kWarning, Again::kHeld,
     "Kafka or the store cannot be reached for 5 s (a capture: Kafka for 10 s), or a call has waited for 60 s. The "
     "message says since when, what waits, and why"},
    {"server_reachable", LogLevel::kInfo, Again::kHeld,
     "the server answers again, and after how long. Nothing to do: check the lag with `fensi status`"},
});

/// Events of `fensi run`: its streams, dead letters and tables.
inline constexpr auto kStreamEvents = std::to_array<EventRule>({
    {"reads_topic", LogLevel::kInfo, Again::kPaced,
     "the topic that the index reads, and the version of librdkafka. Nothing to do"},
    {"kafka_client_unfit", LogLevel::kWarning, Again::kPaced,
     "this librdkafka cannot log in to Kafka 4 by SCRAM, so the daemon may lose Kafka after an upgrade: install "
     "librdkafka 2.6.1 or newer, or use another mechanism"},
    {"no_requests", LogLevel::kWarning, Again::kHeld,
     "the index has no topic of requests, or the daemon may not read this topic, so backfill and repair cannot work. "
     "The message has the command that creates the topic"},
    {"partitions_assigned", LogLevel::kInfo, Again::kHeld,
     "the partitions that the group has assigned to this daemon. Nothing to do: a daemon with `no partition` is a "
     "standby, because other daemons have all partitions"},
    {"partitions_revoked", LogLevel::kInfo, Again::kHeld,
     "the group takes partitions away, to assign them again, because a daemon joined or left. Nothing to do: "
     "`partitions_assigned` follows. If it does not follow within a minute, see FensiPartitionsWithoutOwner"},
    {"partitions_lost", LogLevel::kWarning, Again::kHeld,
     "the right to the partitions has ended: the coordinator or this process was silent for too long, or the group "
     "gave them to others. The daemon joins again by itself. If `partitions_assigned` does not follow within 5 "
     "minutes, see FensiPartitionsWithoutOwner"},
    {"dead_letters", LogLevel::kWarning, Again::kHeld,
     "events became dead letters: how many, why (`code`), and the command that lists them"},
    {"dead_letters_uncounted", LogLevel::kWarning, Again::kHeld,
     "the daemon cannot read the dead letters of the index, and cannot say how many are open"},
    {"no_event_matches", LogLevel::kWarning, Again::kPaced,
     "fensi has read 10,000 events of the table, and none has a column that the index watches"},
    {"dead_letter_file_unwritable", LogLevel::kWarning, Again::kPaced,
     "the file of dead letters cannot be written. `--dead_letters` names another file"},
    {"file_lost", LogLevel::kWarning, Again::kHeld, "a followed file is missing or unreadable. fensi waits for it"},
    {"table_emptied", LogLevel::kWarning, Again::kPaced,
     "at a start of the index, the index table is empty but its row states are not, so readers find nothing"},
    {"table_mismatch", LogLevel::kError, Again::kPaced,
     "the index table was dropped and created again, or truncated. Since then, no `fensi verify` of all rows has "
     "found the index equal to its source"},
    {"table_proved", LogLevel::kInfo, Again::kPaced,
     "a comparison of all rows found no difference, or a repair corrected all: the index is no `mismatch` any more. "
     "Nothing to do"},
    {"table_unknown", LogLevel::kWarning, Again::kPaced,
     "the daemon cannot find out whether the index table was created again. Most often it may not read `hbase:meta`"},
    {"stateless_fallback", LogLevel::kWarning, Again::kPaced,
     "the index began without its source table, so it is stateful and not `mode: stateless`. This is no new fault"},
});

/// Events of `fensi run`: its work, reloads and scrubs.
inline constexpr auto kRunEvents = std::to_array<EventRule>({
    {"progress", LogLevel::kInfo, Again::kPaced,
     "events, rate, what is left, and why nothing moves. Written every 10 s if something has changed, and each "
     "minute while something waits. Nothing to do, unless the line names a cause: search Troubleshooting for its "
     "words"},
    {"index_ended", LogLevel::kInfo, Again::kPaced,
     "the totals of an index that has ended. Nothing to do after a stop or a reload. Otherwise `index_stopped` or "
     "`store_directory_replaced` has the cause"},
    {"index_stopped", LogLevel::kError, Again::kPaced, "why the index stopped, and what to do. `code`: kind of error"},
    {"reload_taken", LogLevel::kInfo, Again::kPaced, "a reload was accepted, and what it changed. Nothing to do"},
    {"reload_refused", LogLevel::kError, Again::kPaced, "a reload was refused, and why. Nothing was changed"},
    {"reload_needs_restart", LogLevel::kWarning, Again::kPaced,
     "settings that need a restart, and keep their old values. Or an index that had stopped, cannot begin yet, and "
     "why"},
    {"store_directory_replaced", LogLevel::kError, Again::kPaced,
     "the directory of an embedded store was removed, moved, unmounted or replaced while the process used the store. "
     "If "
     "you cannot put it back, its entries are lost without a copy"},
    {"stop_forced", LogLevel::kWarning, Again::kPaced, "a second signal ended the process at once"},
    {"scrub_difference", LogLevel::kWarning, Again::kHeld,
     "the scrub found that index and source differ. Some differences have no line: `scrub_pass` counts all, and "
     "`fensi verify` names all"},
    {"scrub_pass", LogLevel::kInfo, Again::kHeld,
     "the result of a whole pass of the scrub. Nothing to do if it has 0 differences. Otherwise see "
     "`scrub_difference`"},
    {"scrub_failed", LogLevel::kWarning, Again::kHeld,
     "the scrub could not compare rows, and continues by itself. Or it could not send repair requests: then "
     "differences are not corrected before the next pass"},
    {"scrub_suspended", LogLevel::kInfo, Again::kHeld,
     "the scrub is suspended, and why, or the scrub continues. The index works. Nothing to do, unless the cause "
     "lasts for an hour"},
    {"scrub_repair", LogLevel::kInfo, Again::kHeld,
     "the number of rows that the scrub asked the partition owners to correct, for at most 500 differences in each "
     "piece of up to 10,000 rows. Nothing to do for these rows. Find the cause as for `scrub_difference`"},
    {"bulk_load_begun", LogLevel::kInfo, Again::kHeld,
     "the index reads the rows of regions that a bulk load brought files into. Nothing to do"},
    {"bulk_load_done", LogLevel::kInfo, Again::kHeld,
     "the rows of the bulk loads are read, and the index has their entries. Nothing to do"},
    {"bulk_load_failed", LogLevel::kWarning, Again::kHeld,
     "the daemon cannot read the rows of a bulk load, and tries again by itself. The watermark stands still until "
     "then. Remove the cause that the line names"},
    {"period_dropped", LogLevel::kInfo, Again::kPaced,
     "`--drop_expired` dropped the table of an ended period. Nothing to do: the flag is for this"},
    {"period_left", LogLevel::kWarning, Again::kPaced,
     "`--drop_expired` keeps a table whose period is over, and why. Once for each table"},
    {"period_drop_failed", LogLevel::kWarning, Again::kHeld,
     "`--drop_expired` could not check or drop tables of ended periods, and why. The next attempt is in an hour"},
    {"fault_injected", LogLevel::kWarning, Again::kPaced,
     "a test flag (`--fault`) has injected a fault: remove the flag in production"},
});

/// Events of `fensi capture`: its state and its connections.
inline constexpr auto kCaptureEvents = std::to_array<EventRule>({
    {"table_unseen", LogLevel::kWarning, Again::kPaced,
     "the capture creates the topic of a table, and did not find this table in HBase. Without `--store`, the capture "
     "asks only ZooKeeper"},
    {"topic_created", LogLevel::kInfo, Again::kPaced,
     "the capture created a missing topic. Nothing to do for a new table. If an index has read a topic of this name "
     "before, its changes are lost: see `topic_lost`"},
    {"stopped_before_start", LogLevel::kInfo, Again::kPaced,
     "a capture was stopped before ZooKeeper or Kafka had answered. The capture took nothing, and HBase keeps the "
     "edits. If you did not stop the capture, start it again"},
    {"capture_ready", LogLevel::kInfo, Again::kPaced, "region servers can find the capture, and where. Nothing to do"},
    {"capture_progress", LogLevel::kInfo, Again::kPaced,
     "what the capture has received, and what is wrong. Written every 10 s if something has changed. Nothing to do, "
     "unless the line names a cause after the counts: search Troubleshooting for its words"},
    {"capture_ended", LogLevel::kInfo, Again::kPaced,
     "the totals of a capture that was asked to stop. HBase keeps edits that no other capture takes. If no person "
     "meant the stop, start the capture again"},
    {"nothing_arrives", LogLevel::kWarning, Again::kPaced,
     "a likely cause why no edits arrive. Written until the first edit arrives, and later if no calls arrive. The "
     "same cause is written again after 5 minutes"},
    {"registered_again", LogLevel::kInfo, Again::kHeld,
     "the capture is registered in ZooKeeper again, so region servers can find it. Nothing to do"},
    {"not_registered", LogLevel::kWarning, Again::kHeld,
     "the capture is not registered in ZooKeeper, and why. Region servers may not find the capture"},
    {"watermark_resumed", LogLevel::kInfo, Again::kHeld, "the watermark advances again. Nothing to do"},
    {"watermark_stalled", LogLevel::kWarning, Again::kHeld, "why the watermark does not advance"},
    {"region_server_connected", LogLevel::kInfo, Again::kHeld, "a region server is connected. Nothing to do"},
    {"connection_refused", LogLevel::kWarning, Again::kHeld,
     "the capture refused a client that may not be a region server"},
    {"region_server_refused", LogLevel::kError, Again::kHeld,
     "the capture refused a region server, whose edits wait in HBase"},
    {"connection_closed", LogLevel::kWarning, Again::kHeld,
     "the capture closed a connection because of an error, or to make room for a new connection"},
});

/// Events of `fensi capture`: its messages.
inline constexpr auto kMessageEvents = std::to_array<EventRule>({
    {"not_acknowledged", LogLevel::kWarning, Again::kHeld,
     "Kafka did not take edits in time, and HBase sends them again. If the line comes once, do nothing"},
    {"nothing_acknowledged", LogLevel::kError, Again::kHeld,
     "Kafka, or a check of the capture, refuses edits until a person removes the cause"},
    {"unreadable_call", LogLevel::kError, Again::kHeld,
     "the capture cannot read a call of the region server that the line names. The edits of this server wait, and "
     "HBase keeps its logs"},
    {"large_cell", LogLevel::kError, Again::kHeld,
     "a cell is larger than a message may be, and became a dead letter: the stream lacks the cell"},
    {"large_cell_expected", LogLevel::kWarning, Again::kHeld,
     "a cell of a column of `--may_be_large` is larger than a message may be, and became a dead letter"},
    {"topic_lost", LogLevel::kError, Again::kHeld,
     "a change topic, or `fensi-capture.dead`, was deleted and created again, or its log was cut. Its former messages "
     "are lost"},
    {"bulk_load", LogLevel::kInfo, Again::kHeld,
     "a bulk load brought files into a region. The stream has an event of it, and each index that reads the family "
     "reads the rows of the region by itself"},
    {"other_table", LogLevel::kWarning, Again::kPaced,
     "edits arrive of a table that no capture of the `--znode` captures. They are acknowledged and discarded"},
    {"dropped_table", LogLevel::kError, Again::kPaced,
     "edits arrive of a table whose capture was ended with `--stop_capturing`. These edits are lost to its stream. "
     "Written again every 5 minutes while edits arrive"},
    {"cell_visibility_ignored", LogLevel::kError, Again::kPaced,
     "cells with visibility labels or access control lists arrive. The stream and the index do not keep this "
     "protection"},
    {"producer_recreated", LogLevel::kWarning, Again::kHeld,
     "Kafka's client library had a fatal error, and the capture created a new client"},
    {"no_heartbeat", LogLevel::kWarning, Again::kHeld, "the capture could not write `--heartbeat_table`"},
    {"certificate_renewed", LogLevel::kInfo, Again::kHeld,
     "the new files of `--admin_tls_…`, or of the capture's `--tls_…`, are in use for new connections. Nothing to "
     "do. A process reads the certificates of Kafka only at its start"},
    {"certificate_reload_failed", LogLevel::kWarning, Again::kHeld,
     "new certificates cannot be used, and the former certificates stay in use. The message says until when"},
});

inline constexpr auto kEvents = [] {
  std::array<EventRule, kCommonEvents.size() + kStreamEvents.size() + kRunEvents.size() + kCaptureEvents.size() +
                            kMessageEvents.size()>
      all{};
  auto* end = all.begin();
  const auto add = [&end](const auto& some) { end = std::copy(some.begin(), some.end(), end); };
  add(kCommonEvents);
  add(kStreamEvents);
  add(kRunEvents);
  add(kCaptureEvents);
  add(kMessageEvents);
  return all;
}();

/// kEvents.size(): there is none of that name.
constexpr size_t IndexOfEvent(std::string_view name) {
  return static_cast<size_t>(
      std::find_if(kEvents.begin(), kEvents.end(), [name](const EventRule& rule) { return rule.name == name; }) -
      kEvents.begin());
}

/// One of kEvents, by its name, which the compiler looks up.
class Event {
 public:
  consteval Event(const char* name) : rule_(&kEvents.at(IndexOfEvent(name))) {}  // NOLINT: implicit by design
  explicit constexpr Event(const EventRule& rule) : rule_(&rule) {}

  const EventRule& rule() const { return *rule_; }

 private:
  const EventRule* rule_;
};

}  // namespace fensi::daemon
