#include "operations/status/standing.h"

#include <algorithm>
#include <map>

#include "base/shown_text.h"
#include "base/text.h"

namespace fensi::operations {
namespace {

using nlohmann::ordered_json;

/// The most serious last.
int Seriousness(const std::string& state) {
  constexpr const char* kStates[] = {"finished", "waiting", "running", "paused", "starting", "mismatch", "stopped"};
  const auto* const found = std::find(std::begin(kStates), std::end(kStates), state);
  return static_cast<int>(found - std::begin(kStates));
}

template <typename T>
std::optional<T> Optional(const ordered_json& json, const char* key) {
  const auto value = json.find(key);
  if (value == json.end() || value->is_null()) return std::nullopt;
  return value->get<T>();
}

/// A daemon shows a bounded number of partitions, and tells sums of all.
void AddHidden(const ordered_json& json, int64_t shown, IndexStanding* index) {
  const int64_t hidden = Optional<int64_t>(json, "lag_records").value_or(0) - shown;
  if (hidden <= 0) return;
  index->hidden_events += hidden;
  const auto oldest = Optional<double>(json, "lag_seconds");
  const bool known = oldest && index->hidden_seconds;
  index->hidden_seconds = known ? std::optional(std::max(*oldest, *index->hidden_seconds)) : std::nullopt;
}

void AddPartitions(const ordered_json& json, const std::string& place, IndexStanding* index) {
  int64_t shown = 0;
  for (const ordered_json& each : json.at("partitions")) {
    const auto events = each.at("lag_records").get<int64_t>();
    if (events <= 0) continue;
    shown += events;
    index->behind.push_back({each.at("partition").get<int64_t>(), place, events, Optional<double>(each, "lag_seconds"),
                             each.at("queue_full").get<bool>()});
  }
  AddHidden(json, shown, index);
}

/// A daemon of an older fensi does not tell.
void AddTroubles(const ordered_json& json, const std::string& place, IndexStanding* index) {
  const auto servers = json.find("hbase_servers_in_trouble");
  if (servers == json.end()) return;
  for (const ordered_json& server : *servers) {
    const auto trouble = server.at("trouble").get<std::string>();
    const auto in_flight = server.at("calls_in_flight").get<int64_t>();
    index->remarks.push_back(
        {place, "HBase's server " + server.at("server").get<std::string>() + " (" +
                    Counted(server.at("calls_waiting").get<int64_t>(), "call") + " waiting): " +
                    (trouble.empty() ? "slow, " + Counted(in_flight, "call") +
                                           " sent and not answered. If it lasts, read the log of that server"
                                     : trouble)});
  }
}

void AddRemarks(const ordered_json& json, const std::string& place, IndexStanding* index) {
  if (const auto reason = Optional<std::string>(json, "reason")) {
    index->remarks.push_back({place, "stopped, " + *reason + ": " + json.at("remedy").get<std::string>()});
  }
  if (const auto paused = Optional<std::string>(json, "paused"))
    index->remarks.push_back({place, "paused: " + *paused});
  if (const auto mismatch = json.find("mismatch"); mismatch != json.end()) {
    index->mismatch = true;
    index->remarks.push_back({place, "mismatch: " + mismatch->at("remedy").get<std::string>()});
  }
  const std::string waits_for = Optional<std::string>(json, "waits_for").value_or("");
  if (!waits_for.empty()) index->remarks.push_back({place, waits_for});
  AddTroubles(json, place, index);
}

/// Each daemon tells of all that are open, some a little later than others; one of an older fensi of none.
void AddOpenDeadLetters(const ordered_json& json, IndexStanding* index) {
  const auto told = json.find("open_dead_letters");
  if (told == json.end() || told->is_null()) return;
  int64_t open = 0;
  for (const auto& of_reason : *told) open += of_reason.get<int64_t>();
  index->dead_letters = std::max(open, index->dead_letters.value_or(0));
}

/// Each daemon tells of all loads of the index; one of an older fensi of none.
void AddLoads(const ordered_json& json, IndexStanding* index) {
  const auto loads = json.find("bulk_loads");
  if (loads == json.end()) return;
  index->loads_waiting = std::max(index->loads_waiting, loads->at("waiting_regions").get<int64_t>());
  index->load_rows = std::max(index->load_rows, loads->at("rows").get<int64_t>());
  index->loads_failing = index->loads_failing || loads->at("failing").get<bool>();
  const auto since = Optional<int64_t>(*loads, "since_ms");
  if (since) index->loads_since = index->loads_since == 0 ? *since : std::min(index->loads_since, *since);
}

/// Each daemon has the watermark of the whole index, some a little later than others; one of an older fensi has none.
void AddComplete(const ordered_json& json, int64_t now, IndexStanding* index) {
  const auto complete = Optional<int64_t>(json, "complete_ms");
  if (!complete || (index->complete && *index->complete >= *complete)) return;
  index->complete = complete;
  index->now = now;
}

void AddIndex(const ordered_json& json, const Daemon& daemon, IndexStanding* index) {
  const std::string& place = daemon.place;
  const auto state = json.at("state").get<std::string>();
  if (index->daemons == 0 || Seriousness(state) > Seriousness(index->state)) index->state = state;
  ++index->daemons;
  index->partitions = std::max(index->partitions, json.at("topic_partitions").get<int64_t>());
  index->owned_partitions += json.at("assigned_partitions").get<int64_t>();
  index->applied_events += json.at("events").get<int64_t>();
  AddOpenDeadLetters(json, index);
  AddComplete(json, Optional<int64_t>(daemon.status, "now_ms").value_or(0), index);
  AddLoads(json, index);
  AddPartitions(json, place, index);
  AddRemarks(json, place, index);
}

/// A capture of an older fensi does not tell.
std::optional<int64_t> KafkaAwaySince(const ordered_json& json) {
  const auto kafka = json.find("kafka");
  return kafka == json.end() ? std::nullopt : Optional<int64_t>(*kafka, "since_ms");
}

CaptureStanding CaptureOf(const ordered_json& json, const std::string& place) {
  return {place,
          json.at("registered").get<bool>(),
          json.at("connections").get<int64_t>(),
          json.at("events").get<int64_t>(),
          json.at("alarms").get<int64_t>(),
          json.at("newest_write_ms").get<int64_t>(),
          KafkaAwaySince(json)};
}

bool OlderFirst(const PartitionBehind& one, const PartitionBehind& other) {
  if (one.seconds != other.seconds) return !one.seconds || (other.seconds && *one.seconds > *other.seconds);
  return one.events > other.events;
}

void AddDaemon(const Daemon& daemon, std::map<std::string, IndexStanding>* indexes, Standings* standings) {
  if (const auto capture = daemon.status.find("capture"); capture != daemon.status.end()) {
    standings->captures.push_back(CaptureOf(*capture, daemon.place));
  }
  const auto running = daemon.status.find("indexes");
  if (running == daemon.status.end()) return;
  for (const ordered_json& json : *running) {
    const auto name = json.at("name").get<std::string>();
    (*indexes)[name].name = name;
    AddIndex(json, daemon, &(*indexes)[name]);
  }
}

}  // namespace

int64_t IndexStanding::EventsBehind() const {
  int64_t events = hidden_events;
  for (const PartitionBehind& each : behind) events += each.events;
  return events;
}

std::optional<double> IndexStanding::SecondsBehind() const {
  const std::optional<double> shown = behind.empty() ? std::optional<double>(0) : behind.front().seconds;
  return shown && hidden_seconds ? std::optional(std::max(*shown, *hidden_seconds)) : std::nullopt;
}

std::optional<std::chrono::milliseconds> IndexStanding::SilentFor() const {
  constexpr std::chrono::minutes kLongestSilence{1};
  const std::chrono::milliseconds silent(complete ? now - *complete : 0);
  // Before a bulk load that waits, the watermark stands still.
  const bool applies_all =
      !Stopped() && loads_waiting == 0 && partitions > 0 && owned_partitions == partitions && EventsBehind() == 0;
  return applies_all && silent > kLongestSilence ? std::optional(silent) : std::nullopt;
}

Result<Standings> StandingsOf(const std::vector<Daemon>& daemons) {
  Standings standings;
  std::map<std::string, IndexStanding> indexes;
  for (const Daemon& daemon : daemons) {
    try {
      AddDaemon(daemon, &indexes, &standings);
    } catch (const nlohmann::json::exception&) {
      return Status(
          StatusCode::kConfiguration,
          daemon.place +
              ": the program there reports no status of a 'fensi run' or a 'fensi capture'. Correct --daemon");
    }
  }
  for (auto& [name, index] : indexes) {
    std::sort(index.behind.begin(), index.behind.end(), OlderFirst);
    standings.indexes.push_back(std::move(index));
  }
  return standings;
}

std::string WhyBehind(std::optional<double> seconds, int64_t most_seconds) {
  if (!seconds) return "fensi does not know the age of its oldest event. Read the log of its 'fensi run'";
  if (*seconds <= static_cast<double>(most_seconds)) return "";
  return "its oldest event waits for " + DurationText(static_cast<int64_t>(*seconds)) + ", more than " +
         DurationText(most_seconds) + " (--max_lag_s). If the lag grows, read the log of its 'fensi run'";
}

std::string WhyLate(const IndexStanding& index, int64_t most_seconds) {
  const int64_t without = index.partitions - index.owned_partitions;
  if (without > 0)
    return Counted(without, "partition") +
           " without an owner among the daemons that were asked. Start 'fensi run', or name the other "
           "daemons with --daemon";
  const std::string behind = WhyBehind(index.SecondsBehind(), most_seconds);
  return behind.empty() && index.state == "starting" ? "it is starting" : behind;
}

}  // namespace fensi::operations
