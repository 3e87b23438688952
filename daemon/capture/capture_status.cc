#include "daemon/capture/capture_status.h"

#include "daemon/admin/process.h"
#include "operations/json/json_line.h"

namespace fensi::daemon {
namespace {

using admin::Check;
using nlohmann::ordered_json;

void CollectAlarms(const capture::Counts& counts, metrics::Snapshot* snapshot) {
  for (size_t i = 0; i < capture::kNoticeRules.size(); ++i) {
    const capture::NoticeRule& rule = capture::kNoticeRules[i];
    if (rule.severity != capture::Severity::kAlarm) continue;
    snapshot->Set("fensi_capture_alarms_total", {std::string(rule.event)}, counts.alarms_of[i]);
  }
}

void CollectTable(const std::string& table, const capture::TableCounts& counts, metrics::Snapshot* snapshot) {
  snapshot->Set("fensi_capture_events_total", {table}, counts.events);
  snapshot->Set("fensi_capture_cells_total", {table}, counts.cells);
  snapshot->Set("fensi_capture_bulk_loads_total", {table}, counts.bulk_loads);
  if (counts.newest_write_time == 0) return;
  snapshot->Set("fensi_capture_newest_write_timestamp_seconds", {table},
                static_cast<double>(counts.newest_write_time) / 1000);
}

}  // namespace

CaptureStatus::CaptureStatus(const capture::Capture* capture, const KafkaWatch* kafka, DaemonFacts facts, Clock* clock)
    : DaemonStatus(std::move(facts), clock), capture_(capture), kafka_(kafka) {}

void CaptureStatus::Collect(metrics::Snapshot* snapshot) const {
  CollectProcess(snapshot);
  const capture::Counts counts = capture_->counts();
  const auto set = [snapshot](const char* name, int64_t value) { snapshot->Set(name, {}, value); };
  snapshot->Set("fensi_capture_calls_total", {"acknowledged"}, counts.calls);
  snapshot->Set("fensi_capture_calls_total", {"refused"}, counts.failed_calls);
  snapshot->Set("fensi_capture_entries_total", {"new"}, counts.entries - counts.again - counts.of_other_tables);
  snapshot->Set("fensi_capture_entries_total", {"again"}, counts.again);
  snapshot->Set("fensi_capture_entries_total", {"other_table"}, counts.of_other_tables);
  CollectAlarms(counts, snapshot);
  set("fensi_capture_in_hand_bytes", static_cast<int64_t>(capture_->held_bytes()));
  set("fensi_capture_in_hand_bytes_limit", static_cast<int64_t>(capture_->held_limit()));
  set("fensi_capture_unacknowledged_messages", capture_->unacknowledged());
  set("fensi_capture_connections", capture_->connections());
  set("fensi_capture_connections_total", capture_->connections_ever());
  set("fensi_capture_refused_peers_total", capture_->refused_peers());
  set("fensi_capture_registered", int64_t{registered()});
  set("fensi_capture_kafka_reachable", int64_t{!kafka_->away()});
  snapshot->Set("fensi_capture_call_seconds", {}, capture_->timings().calls.snapshot());
  for (const auto& [table, delays] : capture_->timings().delays) {
    snapshot->Set("fensi_capture_delay_seconds", {table}, delays.snapshot());
    const auto of_table = counts.tables.find(table);
    CollectTable(table, of_table == counts.tables.end() ? capture::TableCounts() : of_table->second, snapshot);
  }
}

std::string CaptureStatus::Status() const {
  const capture::Counts counts = capture_->counts();
  ordered_json json = ProcessJson();
  json["capture"] = {{"registered", registered()}, {"connections", capture_->connections()},
                     {"calls", counts.calls},      {"refused_calls", counts.failed_calls},
                     {"events", counts.events},    {"cells", counts.cells},
                     {"alarms", counts.alarms()},  {"newest_write_ms", counts.newest_write_time}};
  const int64_t silent = kafka_->silence().count();
  json["capture"]["kafka"] = {
      {"reachable", !kafka_->away()},
      {"since_ms", kafka_->away() ? ordered_json(clock()->WallMillis() - silent) : ordered_json()}};
  return operations::JsonLine(json);
}

std::vector<Check> CaptureStatus::Health() const {
  return {{"main thread",
           SilentFor() && started_ ? "has made no progress for 10 s. If this lasts, restart the process" : ""}};
}

std::vector<Check> CaptureStatus::Readiness() const {
  std::vector<Check> checks = ProcessReadiness();
  checks.push_back(
      {"znodes",
       registered() ? "" : "region servers may not find this capture; the event not_registered in the log says why"});
  checks.push_back(
      {"kafka", kafka_->away() ? "Kafka does not answer, so HBase keeps its logs; the log says since when" : ""});
  return checks;
}

}  // namespace fensi::daemon
