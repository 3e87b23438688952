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
    {"admin_serving", LogLevel::kInfo, Again::kPaced, "where metrics, status and health are served"},
    {"admin_not_serving", LogLevel::kWarning, Again::kPaced, "nobody named a place for them, and none was free"},
    {"stopping", LogLevel::kInfo, Again::kPaced, "a stop was asked for: events in flight are finished"},
    {"command_failed", LogLevel::kError, Again::kPaced, "the command ends with this error; `code` is its kind"},
    {"kafka_client", LogLevel::kDebug, Again::kHeld, "what Kafka's client says by itself"},

    {"server_unreachable", LogLevel::kWarning, Again::kHeld,
     "Kafka or the store cannot be reached for 5 s (a capture: Kafka for 10 s), or a call has waited for its 60 s: "
     "since when, what waits, and why"},
    {"server_reachable", LogLevel::kInfo, Again::kHeld,
     "that server answers again, and after how long: nothing to do; check the lag with `fensi status`"},
});

/// Events of `fensi run`.
inline constexpr auto kRunEvents = std::to_array<EventRule>({
    {"reads_topic", LogLevel::kInfo, Again::kPaced, "the topic that it reads, and the version of Kafka's client"},
    {"kafka_client_unfit", LogLevel::kWarning, Again::kPaced,
     "this librdkafka cannot log in to Kafka 4 by SCRAM, so the daemon may lose Kafka after an upgrade: install "
     "librdkafka 2.6.1 or newer, or use another mechanism"},
    {"no_requests", LogLevel::kWarning, Again::kHeld,
     "the index has no topic of requests, or may not read it, so backfill and repair cannot work: the message has the "
     "command that creates the topic"},
    {"partitions_assigned", LogLevel::kInfo, Again::kHeld, "the group gave the index partitions: which"},
    {"partitions_revoked", LogLevel::kInfo, Again::kHeld, "the group takes them back, to give them out again"},
    {"partitions_lost", LogLevel::kWarning, Again::kHeld,
     "the right to the partitions has ended: the coordinator or this process was silent for too long, or the group "
     "gave them to others. The daemon joins again by itself. Once: nothing to do"},
    {"dead_letters", LogLevel::kWarning, Again::kHeld,
     "events became dead letters: how many, why (`code`), and the command that lists them"},
    {"dead_letters_uncounted", LogLevel::kWarning, Again::kHeld,
     "the daemon may not read the dead letters, and cannot say how many are open"},
    {"no_event_matches", LogLevel::kWarning, Again::kPaced,
     "10,000 events of the table came, and none has a column that the index watches"},
    {"dead_letter_file_unwritable", LogLevel::kWarning, Again::kPaced, "the file of dead letters could not be written"},
    {"file_lost", LogLevel::kWarning, Again::kHeld, "a followed file is gone, or unreadable: it is waited for"},
    {"table_emptied", LogLevel::kWarning, Again::kPaced,
     "when the index starts: the index table is empty, and its row states are not, so readers find nothing"},
    {"table_mismatch", LogLevel::kError, Again::kPaced,
     "the index table was dropped and made again, or truncated, and no `fensi verify` of all rows has come out clean "
     "since"},
    {"table_proved", LogLevel::kInfo, Again::kPaced,
     "a comparison of all rows found no difference, or a repair corrected all: the index is no `mismatch` any more"},
    {"table_unknown", LogLevel::kWarning, Again::kPaced,
     "the daemon may not learn whether the index table was made again: it may not read `hbase:meta`"},
    {"stateless_fallback", LogLevel::kWarning, Again::kPaced,
     "the mapping asks for `mode: stateless`, but the index began without its source table, so it is stateful: no new "
     "fault"},
    {"progress", LogLevel::kInfo, Again::kPaced,
     "every 10 s, when it changed, and each minute while something waits: events, rate, what is left, and why nothing "
     "moves"},
    {"index_ended", LogLevel::kInfo, Again::kPaced, "what the index did in all"},
    {"index_stopped", LogLevel::kError, Again::kPaced, "why it stopped and what to do; `code` is the kind of error"},
    {"reload_taken", LogLevel::kInfo, Again::kPaced, "the files were read again, and what that changed"},
    {"reload_refused", LogLevel::kError, Again::kPaced, "the files were read again, and why nothing was changed"},
    {"reload_needs_restart", LogLevel::kWarning, Again::kPaced, "what a reload cannot change: it is as it was"},
    {"store_directory_replaced", LogLevel::kError, Again::kPaced,
     "the directory of an embedded store was removed or replaced while it was in use"},
    {"stop_forced", LogLevel::kWarning, Again::kPaced, "a second signal: the process ended without waiting"},
    {"scrub_difference", LogLevel::kWarning, Again::kHeld, "index and source differ"},
    {"scrub_pass", LogLevel::kInfo, Again::kHeld, "what a whole pass of the scrub came to"},
    {"scrub_failed", LogLevel::kWarning, Again::kHeld, "the scrub could not go on; it tries again"},
    {"scrub_suspended", LogLevel::kInfo, Again::kHeld, "the scrub is suspended until this ends, or continues"},
    {"scrub_repair", LogLevel::kInfo, Again::kHeld, "how many rows their owners were asked to make right"},
    {"period_dropped", LogLevel::kInfo, Again::kPaced, "`--drop_expired` dropped this table of a period"},
    {"period_left", LogLevel::kWarning, Again::kPaced,
     "a table has the name of a period that is over, and why it is not dropped: once for each table"},
    {"period_drop_failed", LogLevel::kWarning, Again::kHeld,
     "tables of periods could not be dropped: why; tried again in an hour"},
    {"fault_injected", LogLevel::kWarning, Again::kPaced,
     "a test flag (`--fault`) has injected a fault: remove the flag in production"},
});

/// Events of `fensi capture`.
inline constexpr auto kCaptureEvents = std::to_array<EventRule>({
    {"topic_created", LogLevel::kInfo, Again::kPaced, "a topic was missing and was made"},
    {"stopped_before_start", LogLevel::kInfo, Again::kPaced,
     "a capture was stopped before ZooKeeper or Kafka had answered. It took nothing, and HBase keeps the edits. "
     "Nothing "
     "to do if you stopped it, else start it again"},
    {"capture_ready", LogLevel::kInfo, Again::kPaced, "region servers can find it, and where"},
    {"capture_progress", LogLevel::kInfo, Again::kPaced, "every 10 s, when it changed: what was taken, what is wrong"},
    {"capture_ended", LogLevel::kInfo, Again::kPaced, "what it took in all"},
    {"nothing_arrives", LogLevel::kWarning, Again::kPaced,
     "what may keep edits away: until the first comes, and when no call comes any more. The same again after 5 "
     "minutes"},
    {"registered_again", LogLevel::kInfo, Again::kHeld,
     "the capture is in ZooKeeper again, so region servers can find it: nothing to do"},
    {"not_registered", LogLevel::kWarning, Again::kHeld, "region servers cannot find it, and why"},
    {"watermark_resumed", LogLevel::kInfo, Again::kHeld, "the watermark advances again"},
    {"watermark_stalled", LogLevel::kWarning, Again::kHeld, "why the watermark does not advance"},
    {"region_server_connected", LogLevel::kInfo, Again::kHeld, "a region server is connected"},
    {"connection_refused", LogLevel::kWarning, Again::kHeld, "a client was refused that may be no region server"},
    {"region_server_refused", LogLevel::kError, Again::kHeld, "a region server was refused: its edits wait"},
    {"connection_closed", LogLevel::kWarning, Again::kHeld, "a connection did not go on, or made room"},
    {"not_acknowledged", LogLevel::kWarning, Again::kHeld,
     "edits were not written to Kafka; HBase sends them again. Once: nothing to do"},
    {"nothing_acknowledged", LogLevel::kError, Again::kHeld, "Kafka takes nothing, and that does not pass by itself"},
    {"unreadable_call", LogLevel::kError, Again::kHeld,
     "a call of a region server cannot be read: the edits of this server wait, and HBase keeps its logs"},
    {"large_cell", LogLevel::kError, Again::kHeld, "a cell does not fit into a message"},
    {"large_cell_expected", LogLevel::kWarning, Again::kHeld,
     "a cell of a column of `--may_be_large` does not fit into a message, and became a dead letter"},
    {"topic_lost", LogLevel::kError, Again::kHeld, "a topic was deleted and created again: what it held is gone"},
    {"bulk_load", LogLevel::kError, Again::kHeld,
     "a bulk load brought rows that the stream does not have: run `fensi backfill`, or if the files may hold deletes, "
     "`fensi verify` and `fensi repair`"},
    {"other_table", LogLevel::kWarning, Again::kPaced, "edits arrive of a table that is not captured"},
    {"dropped_table", LogLevel::kError, Again::kPaced, "edits arrive of a table that was captured before"},
    {"cell_visibility_ignored", LogLevel::kError, Again::kPaced,
     "cells with visibility labels arrive, and the labels are not kept"},
    {"producer_recreated", LogLevel::kWarning, Again::kHeld, "Kafka's client broke and was created again"},
    {"no_heartbeat", LogLevel::kWarning, Again::kHeld, "`--heartbeat_table` could not be written"},
    {"certificate_renewed", LogLevel::kInfo, Again::kHeld, "new certificates are in use"},
    {"certificate_reload_failed", LogLevel::kWarning, Again::kHeld,
     "new certificates cannot be used; the former ones stay in use"},
});

inline constexpr auto kEvents = [] {
  std::array<EventRule, kCommonEvents.size() + kRunEvents.size() + kCaptureEvents.size()> all{};
  auto* end = std::copy(kCommonEvents.begin(), kCommonEvents.end(), all.begin());
  end = std::copy(kRunEvents.begin(), kRunEvents.end(), end);
  std::copy(kCaptureEvents.begin(), kCaptureEvents.end(), end);
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
