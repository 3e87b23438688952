#include "cli/capture/capture_status.h"

#include "cli/admin/process.h"
#include "cli/program/json_line.h"

namespace fensi::cli {
namespace {

using admin::Check;
using nlohmann::ordered_json;

}  // namespace

CaptureStatus::CaptureStatus(const capture::Capture* capture, Clock* clock) : DaemonStatus(clock), capture_(capture) {}

void CaptureStatus::Collect(metrics::Snapshot* snapshot) const {
  CollectProcess(snapshot);
  const capture::Counts counts = capture_->counts();
  const auto set = [snapshot](const char* name, int64_t value) { snapshot->Set(name, {}, value); };
  snapshot->Set("fensi_capture_calls_total", {"acknowledged"}, counts.calls);
  snapshot->Set("fensi_capture_calls_total", {"refused"}, counts.failed_calls);
  snapshot->Set("fensi_capture_entries_total", {"new"}, counts.entries - counts.again - counts.of_other_tables);
  snapshot->Set("fensi_capture_entries_total", {"again"}, counts.again);
  snapshot->Set("fensi_capture_entries_total", {"other_table"}, counts.of_other_tables);
  set("fensi_capture_events_total", counts.events);
  set("fensi_capture_cells_total", counts.cells);
  set("fensi_capture_alarms_total", counts.alarms);
  set("fensi_capture_connections", capture_->connections());
  set("fensi_capture_connections_total", capture_->connections_ever());
  set("fensi_capture_refused_peers_total", capture_->refused_peers());
  set("fensi_capture_registered", int64_t{registered()});
  snapshot->Set("fensi_capture_call_seconds", {}, capture_->timings().calls.snapshot());
  snapshot->Set("fensi_capture_delay_seconds", {}, capture_->timings().delays.snapshot());
  if (counts.newest_write_time == 0) return;
  snapshot->Set("fensi_capture_newest_write_timestamp_seconds", {},
                static_cast<double>(counts.newest_write_time) / 1000);
}

std::string CaptureStatus::Status() const {
  const capture::Counts counts = capture_->counts();
  ordered_json json = ProcessJson();
  json["capture"] = {{"registered", registered()}, {"connections", capture_->connections()},
                     {"calls", counts.calls},      {"refused_calls", counts.failed_calls},
                     {"events", counts.events},    {"cells", counts.cells},
                     {"alarms", counts.alarms},    {"newest_write_ms", counts.newest_write_time}};
  return JsonLine(json);
}

std::vector<Check> CaptureStatus::Health() const {
  return {{"main thread", SilentFor() && started_ ? "has not turned for 10 s" : ""}};
}

std::vector<Check> CaptureStatus::Readiness() const {
  std::vector<Check> checks = ProcessReadiness();
  checks.push_back({"znodes", registered() ? "" : "region servers may not find us now; the log says why"});
  return checks;
}

}  // namespace fensi::cli
