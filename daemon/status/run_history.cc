#include "daemon/status/run_history.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "daemon/indexes/index_metrics.h"

namespace fensi::daemon {
namespace {

constexpr std::chrono::seconds kStep{1};

IndexFigures FiguresOf(const IndexRun& run, const consumer::StreamState& stream, int64_t now) {
  const indexer::Counters counts = run.counts();
  IndexFigures figures{.wall_millis = now, .events = counts.events};
  figures.lag_records = LagRecords(stream);
  figures.lag_seconds = LagSeconds(stream, now);
  figures.fresh_until = FreshUntil(stream);
  for (size_t i = 0; i < figures.phases.size(); ++i) figures.phases[i] = run.timings().phases[i].snapshot();
  for (size_t i = 0; i < figures.calls.size(); ++i) figures.calls[i] = run.store_measures().seconds[i].snapshot();
  return figures;
}

int64_t SumOf(const std::map<std::string, int64_t>& open) {
  return std::accumulate(open.begin(), open.end(), int64_t{0},
                         [](int64_t sum, const auto& each) { return sum + each.second; });
}

}  // namespace

void RunHistory::Tick() {
  const std::chrono::milliseconds now = clock_->MonotonicNow();
  if (now < next_) return;
  next_ = now + kStep;
  const IndexRuns runs = runs_.all();
  std::vector<std::pair<const IndexRun*, IndexFigures>> figures;
  std::map<std::string, std::vector<consumer::PartitionState>> partitions;
  for (const auto& run : runs) {
    consumer::StreamState stream = run->stream();
    figures.emplace_back(run.get(), FiguresOf(*run, stream, clock_->WallMillis()));
    if (const auto open = open_letters_(run->name())) figures.back().second.open_dead_letters = SumOf(*open);
    partitions[run->name()] = std::move(stream.partitions);
  }
  const MutexLock lock(mu_);
  std::erase_if(kept_, [&](const auto& each) { return !partitions.contains(each.first); });
  for (const auto& [run, of_run] : figures) {
    Kept& kept = kept_[run->name()];
    kept.history.Add(of_run, now);
    kept.moves.Note(partitions[run->name()], now);
  }
}

RunPast RunHistory::Of(const std::string& name) const {
  const MutexLock lock(mu_);
  const auto found = kept_.find(name);
  return found == kept_.end() ? RunPast() : RunPast{found->second.history.recent(), found->second.moves};
}

IndexHistory RunHistory::Copy(const std::string& name) const {
  const MutexLock lock(mu_);
  const auto found = kept_.find(name);
  return found == kept_.end() ? IndexHistory() : found->second.history;
}

std::string RunHistory::Json() const {
  std::vector<std::string> names;
  {
    const MutexLock lock(mu_);
    for (const auto& [name, kept] : kept_) names.push_back(name);
  }
  std::string json = R"({"format":1,"step_ms":1000,"indexes":[)";
  for (const std::string& name : names) {
    if (json.back() != '[') json += ',';
    Copy(name).AppendJson(name, &json);
  }
  return json + "]}\n";
}

std::optional<int64_t> LagRecords(const consumer::StreamState& stream) {
  if (stream.topic_partitions == 0) return std::nullopt;
  int64_t records = 0;
  for (const consumer::PartitionState& each : stream.partitions) records += each.log_end - each.applied;
  return records;
}

std::optional<double> LagSeconds(const consumer::StreamState& stream, int64_t now) {
  if (stream.topic_partitions == 0) return std::nullopt;
  double most = 0;
  for (const consumer::PartitionState& each : stream.partitions) {
    const std::optional<double> seconds = LagSeconds(each, now);
    if (!seconds) return std::nullopt;
    most = std::max(most, *seconds);
  }
  return most;
}

}  // namespace fensi::daemon
