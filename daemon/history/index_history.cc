#include "daemon/history/index_history.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "metrics/snapshot.h"

namespace fensi::daemon {
namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

double SecondsBetween(std::chrono::milliseconds from, std::chrono::milliseconds to) {
  return std::chrono::duration<double>(to - from).count();
}

RecentTiming TimingOf(const Histogram::Snapshot& before, const Histogram::Snapshot& after, double seconds) {
  const Histogram::Snapshot observed = metrics::Between(before, after);
  return {.per_second = static_cast<double>(observed.count) / seconds,
          .busy = observed.sum / seconds,
          .p50 = metrics::Quantile(observed, 0.5),
          .p99 = metrics::Quantile(observed, 0.99)};
}

float FloatOf(const std::optional<double>& value) { return value ? static_cast<float>(*value) : kUnknown; }

template <typename Number>
void AppendNumber(Number number, std::string* json) {
  if constexpr (std::is_floating_point_v<Number>) {
    if (!std::isfinite(number)) return void(*json += "null");
  } else if (number < 0) {
    return void(*json += "null");
  }
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number);
  json->append(text, end.ptr);
}

/// "key":[…], what `value` says of each step.
template <typename Steps, typename Value>
void AppendList(const std::string& key, const Steps& steps, Value value, std::string* json) {
  *json += "\"" + key + "\":[";
  for (const auto& step : steps) {
    if (json->back() != '[') *json += ',';
    AppendNumber(value(step), json);
  }
  *json += ']';
}

}  // namespace

void IndexHistory::Add(const IndexFigures& figures, std::chrono::milliseconds since_boot) {
  // Another run of the index, which a reload began: its counts are others.
  if (!moments_.empty() && figures.events < moments_.back().figures.events) moments_.clear();
  std::optional<double> rate;
  if (!moments_.empty() && since_boot > moments_.back().at) {
    const auto events = static_cast<double>(figures.events - moments_.back().figures.events);
    rate = events / SecondsBetween(moments_.back().at, since_boot);
  }
  moments_.push_back({since_boot, figures});
  if (moments_.size() > kRecentSteps + 1) moments_.pop_front();
  recent_ = Measure();
  steps_.push_back(StepOf(figures, since_boot, rate));
  if (steps_.size() > kSteps) steps_.pop_front();
}

Recent IndexHistory::Measure() const {
  Recent recent;
  const Moment& first = moments_.front();
  const Moment& last = moments_.back();
  const double seconds = SecondsBetween(first.at, last.at);
  if (!(seconds > 0)) return recent;
  recent.events_per_second = static_cast<double>(last.figures.events - first.figures.events) / seconds;
  for (size_t i = 0; i < recent.phases.size(); ++i) {
    recent.phases[i] = TimingOf(first.figures.phases[i], last.figures.phases[i], seconds);
  }
  for (size_t i = 0; i < recent.calls.size(); ++i) {
    recent.calls[i] = TimingOf(first.figures.calls[i], last.figures.calls[i], seconds);
  }
  return recent;
}

IndexHistory::Step IndexHistory::StepOf(const IndexFigures& figures, std::chrono::milliseconds since_boot,
                                        std::optional<double> rate) const {
  Step step{.at = since_boot,
            .wall_millis = figures.wall_millis,
            .open_dead_letters = figures.open_dead_letters.value_or(-1),
            .lag_records = figures.lag_records.value_or(-1),
            .fresh_until = figures.fresh_until.value_or(-1),
            .events_per_second = FloatOf(rate),
            .lag_seconds = FloatOf(figures.lag_seconds)};
  const bool any = recent_.events_per_second.has_value();
  for (size_t i = 0; i < step.busy.size(); ++i) {
    step.busy[i] = any ? static_cast<float>(recent_.phases[i].busy) : kUnknown;
  }
  for (size_t i = 0; i < step.p50.size(); ++i) {
    step.p50[i] = FloatOf(recent_.calls[i].p50);
    step.p99[i] = FloatOf(recent_.calls[i].p99);
  }
  return step;
}

/// Milliseconds by which the clock was set since.
int64_t IndexHistory::SetMeanwhile(const Step& step) const {
  const Step& now = steps_.back();
  return (now.wall_millis - step.wall_millis) - (now.at - step.at).count();
}

void IndexHistory::AppendJson(const std::string& name, std::string* json) const {
  *json += "{\"name\":" + nlohmann::json(name).dump() + ",";
  const auto list = [&](const std::string& key, auto value, const char* end) {
    AppendList(key, steps_, value, json);
    *json += end;
  };
  list(
      "times_ms", [this](const Step& step) { return step.wall_millis + SetMeanwhile(step); }, ",");
  list(
      "events_per_s", [](const Step& step) { return step.events_per_second; }, ",");
  list(
      "lag_records", [](const Step& step) { return step.lag_records; }, ",");
  list(
      "lag_seconds", [](const Step& step) { return step.lag_seconds; }, ",");
  list(
      "fresh_until_ms",
      [this](const Step& step) { return step.fresh_until < 0 ? -1 : step.fresh_until + SetMeanwhile(step); }, ",");
  list(
      "open_dead_letters", [](const Step& step) { return step.open_dead_letters; }, ",\"phases\":{");
  for (size_t i = 0; i < indexer::kPhases; ++i) {
    list(
        indexer::kPhaseNames[i], [i](const Step& step) { return step.busy[i]; }, i + 1 < indexer::kPhases ? "," : "},");
  }
  *json += "\"store\":{";
  for (size_t i = 0; i < store::kCallKinds; ++i) {
    *json += std::string("\"") + store::kCallKindNames[i] + "\":{";
    list(
        "p50_s", [i](const Step& step) { return step.p50[i]; }, ",");
    list(
        "p99_s", [i](const Step& step) { return step.p99[i]; }, i + 1 < store::kCallKinds ? "}," : "}}}");
  }
}

}  // namespace fensi::daemon
