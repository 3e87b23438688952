#include "cli/run/run_status.h"

#include <algorithm>

#include "cli/admin/process.h"
#include "cli/flags/flags.h"
#include "cli/program/json_line.h"
#include "cli/run/index_metrics.h"

namespace fensi::cli {
namespace {

using admin::Check;
using nlohmann::ordered_json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kAnswerLimit{60};

std::string SecondsText(milliseconds time) { return std::to_string(time.count() / 1000) + " s"; }

template <typename T>
ordered_json OrNull(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

ordered_json PartitionJson(const consumer::PartitionState& partition, int64_t now) {
  ordered_json json;
  json["partition"] = partition.partition;
  json["applied"] = partition.applied;
  json["committed"] = OrNull(partition.committed);
  json["log_end"] = partition.log_end;
  json["lag_records"] = partition.log_end - partition.applied;
  json["lag_seconds"] = OrNull(LagSeconds(partition, now));
  json["queue_full"] = partition.full;
  return json;
}

ordered_json LettersJson(const indexer::Counters& counts) {
  ordered_json json;
  for (size_t i = 0; i < indexer::kLetterKinds; ++i) json[indexer::kLetterKindNames[i]] = counts.letters_of[i].load();
  return json;
}

ordered_json PassJson(const sweep::ScrubSum& sum) {
  return {{"began_ms", sum.began},      {"ended_ms", sum.ended},
          {"source_rows", sum.rows},    {"index_cells", sum.cells},
          {"found", sum.found()},       {"missing", sum.missing},
          {"orphan", sum.orphan},       {"differs", sum.differs},
          {"undecided", sum.undecided}, {"not_compared", sum.unattributed}};
}

void AddScrub(const IndexRun& run, ordered_json* json) {
  const std::optional<ScrubCounts> scrub = run.scrub();
  if (!scrub) return;
  (*json)["scrub"] = {{"failures", scrub->failures},
                      {"aside", scrub->aside},
                      {"last_pass", scrub->last ? PassJson(*scrub->last) : ordered_json()}};
}

void AddEnd(const IndexRun& run, ordered_json* json) {
  if (!run.ended() || run.status().ok()) return;
  (*json)["reason"] = StatusCodeName(run.status().code());
  (*json)["remedy"] =
      "the log of this process says what is wrong and what to do; the index goes on when it is started again";
}

ordered_json IndexJson(const IndexRun& run, milliseconds now, int64_t wall_millis) {
  const indexer::Counters counts = run.counts();
  const consumer::StreamState stream = run.stream();
  ordered_json json;
  json["name"] = run.name();
  json["state"] = run.state();
  AddEnd(run, &json);
  json["ready"] = !run.ended() && WhyNotReady(run, now).empty();
  if (!run.paused().empty()) json["paused"] = run.paused();
  if (!run.ended()) json["waits_for"] = WhyNotReady(run, now);
  json["events"] = counts.events.load();
  json["puts"] = counts.puts.load();
  json["deletes"] = counts.deletes.load();
  json["dead_letters"] = LettersJson(counts);
  json["fresh_until_ms"] = OrNull(FreshUntil(stream));
  AddScrub(run, &json);
  json["held_bytes"] = stream.held_bytes;
  json["topic_partitions"] = stream.topic_partitions;
  json["assigned_partitions"] = stream.assigned;
  json["partitions"] = ordered_json::array();
  const size_t shown = std::min(stream.partitions.size(), kMostPartitions);
  for (size_t i = 0; i < shown; ++i) json["partitions"].push_back(PartitionJson(stream.partitions[i], wall_millis));
  return json;
}

}  // namespace

std::string WhyNotReady(const IndexRun& run, milliseconds now) {
  if (!run.reached()) return "its tables, its state or its topic were not reached yet";
  const consumer::StreamState stream = run.stream();
  if (stream.reachable) {
    if (stream.assignments == 0) return "its group has not let it in yet";
    if (stream.broker_silence > kAnswerLimit)
      return "no broker is connected since " + SecondsText(stream.broker_silence);
  }
  const std::optional<milliseconds> away = run.store_away_since();
  if (away && now - *away > kAnswerLimit) return "the store has not answered for " + SecondsText(now - *away);
  return "";
}

RunStatus::RunStatus(const IndexRunList& runs, Clock* clock)
    : DaemonStatus(clock), runs_(runs), reloaded_(clock->WallMillis()), taken_(reloaded_.load()) {}

void RunStatus::NoteReload(bool taken) {
  reload_taken_ = taken;
  reloaded_ = clock()->WallMillis();
  if (taken) taken_ = reloaded_.load();
}

void RunStatus::Collect(metrics::Snapshot* snapshot) const {
  CollectProcess(snapshot);
  snapshot->Set("fensi_config_last_reload_successful", {}, int64_t{reload_taken_});
  snapshot->Set("fensi_config_last_reload_success_timestamp_seconds", {}, static_cast<double>(taken_) / 1000.0);
  for (const auto& run : runs_.all()) CollectIndex(*run, clock()->WallMillis(), snapshot);
}

std::string RunStatus::Status() const {
  ordered_json json = ProcessJson();
  json["control"] = FLAGS_admin_control;
  json["reload"] = {{"at_ms", reloaded_.load()}, {"taken", reload_taken_.load()}};
  json["indexes"] = ordered_json::array();
  for (const auto& run : runs_.all())
    json["indexes"].push_back(IndexJson(*run, clock()->SinceBoot(), clock()->WallMillis()));
  return JsonLine(json);
}

std::vector<Check> RunStatus::Health() const {
  std::vector<Check> checks;
  const std::optional<milliseconds> silent = SilentFor();
  checks.push_back({"main thread", silent ? "has not turned for " + SecondsText(*silent) : ""});
  for (const auto& run : runs_.all()) {
    const consumer::StreamState stream = run->stream();
    if (run->ended() || stream.poll_limit.count() == 0) continue;
    const bool late = stream.poll_silence > stream.poll_limit;
    checks.push_back(
        {"poll thread of index " + run->name(), late ? "has not turned for " + SecondsText(stream.poll_silence) : ""});
  }
  return checks;
}

std::vector<Check> RunStatus::Readiness() const {
  std::vector<Check> checks = ProcessReadiness();
  bool any = false;
  for (const auto& run : runs_.all()) {
    if (run->ended()) continue;
    any = true;
    checks.push_back({"index " + run->name(), WhyNotReady(*run, clock()->SinceBoot())});
  }
  if (!any) checks.push_back({"indexes", "none runs any more"});
  return checks;
}

}  // namespace fensi::cli
