#include "daemon/status/run_status.h"

#include <utility>

#include "daemon/admin/process.h"
#include "daemon/indexes/index_metrics.h"
#include "daemon/status/index_json.h"
#include "operations/json/json_line.h"

namespace fensi::daemon {
namespace {

using admin::Check;
using nlohmann::ordered_json;
using std::chrono::milliseconds;

std::string NoProgressText(milliseconds silent) {
  return "has made no progress for " + SecondsText(silent) + ". If this lasts, restart the process";
}

}  // namespace

RunStatus::RunStatus(const IndexRunList& runs, RunFacts facts, Clock* clock, OpenLettersOf open_letters)
    : DaemonStatus(std::move(facts.daemon), clock),
      runs_(runs),
      servers_(std::move(facts.servers)),
      control_(facts.control),
      default_of_(std::move(facts.default_of)),
      open_letters_(std::move(open_letters)),
      history_(runs, clock, open_letters_),
      reloaded_(clock->WallMillis()),
      taken_(reloaded_.load()) {}

void RunStatus::NoteReload(bool taken) {
  reload_taken_ = taken;
  reloaded_ = clock()->WallMillis();
  if (taken) taken_ = reloaded_.load();
}

void RunStatus::Collect(metrics::Snapshot* snapshot) const {
  CollectProcess(snapshot);
  snapshot->Set("fensi_config_last_reload_successful", {}, int64_t{reload_taken_});
  snapshot->Set("fensi_config_last_reload_success_timestamp_seconds", {}, static_cast<double>(taken_) / 1000.0);
  snapshot->Set("fensi_config_info", {ConfigHash(Flags(), runs_.all(), default_of_)}, int64_t{1});
  for (const auto& run : runs_.all()) {
    CollectIndex(*run, clock()->WallMillis(), snapshot);
    if (const auto open = open_letters_(run->name())) CollectOpenLetters(run->name(), *open, snapshot);
  }
}

std::string RunStatus::Status() const {
  ordered_json json = ProcessJson();
  json["control"] = control_;
  json["reload"] = {{"at_ms", reloaded_.load()}, {"taken", reload_taken_.load()}};
  const IndexRuns runs = runs_.all();
  json["config"] = ConfigHash(Flags(), runs, default_of_);
  const StatusTime now{clock()->MonotonicNow(), clock()->WallMillis()};
  json["servers"] = ServersJson(servers_, runs, now);
  json["indexes"] = ordered_json::array();
  for (const auto& run : runs)
    json["indexes"].push_back(IndexJson(*run, history_.Of(run->name()), open_letters_(run->name()), now));
  return operations::JsonLine(json);
}

std::vector<Check> RunStatus::Health() const {
  std::vector<Check> checks;
  const std::optional<milliseconds> silent = SilentFor();
  checks.push_back({"main thread", silent ? NoProgressText(*silent) : ""});
  for (const auto& run : runs_.all()) {
    const consumer::StreamState stream = run->stream();
    if (run->ended() || stream.poll_limit.count() == 0) continue;
    const bool late = stream.poll_silence > stream.poll_limit;
    checks.push_back({"poll thread of index " + run->name(), late ? NoProgressText(stream.poll_silence) : ""});
  }
  return checks;
}

std::vector<Check> RunStatus::Readiness() const {
  std::vector<Check> checks = ProcessReadiness();
  bool any = false;
  for (const auto& run : runs_.all()) {
    if (run->ended()) {
      const bool stopped = !run->status().ok();
      if (stopped)
        checks.push_back(
            {"index " + run->name(), "the index has stopped, and /status says why. Readiness does not count it", true});
      continue;
    }
    any = true;
    checks.push_back({"index " + run->name(), WhyNotReady(*run, clock()->MonotonicNow())});
  }
  if (!any) checks.push_back({"indexes", "no index runs any more. The event index_stopped in the log says why"});
  return checks;
}

}  // namespace fensi::daemon
