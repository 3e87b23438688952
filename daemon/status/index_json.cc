#include "daemon/status/index_json.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "daemon/indexes/index_metrics.h"
#include "daemon/indexes/index_watch.h"
#include "daemon/log/outage_watch.h"
#include "daemon/sources/sources.h"
#include "indexer/remedies.h"
#include "operations/json/json_line.h"

namespace fensi::daemon {
namespace {

using nlohmann::ordered_json;
using std::chrono::milliseconds;

ordered_json PartitionJson(const consumer::PartitionState& partition, const char* state, int64_t now) {
  ordered_json json;
  json["partition"] = partition.partition;
  json["applied"] = partition.applied;
  json["committed"] = operations::OrNull(partition.committed);
  json["log_end"] = partition.log_end;
  json["lag_records"] = partition.log_end - partition.applied;
  json["lag_seconds"] = operations::OrNull(LagSeconds(partition, now));
  json["queue_full"] = partition.full;
  json["state"] = state;
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
                      {"suspended_reason", scrub->suspended_reason},
                      {"last_pass", scrub->last ? PassJson(*scrub->last) : ordered_json()}};
}

/// Facts only, because a message may name a row.
void AddLoads(const IndexRun& run, ordered_json* json) {
  const std::optional<LoadCounts> loads = run.loads();
  if (!loads) return;
  (*json)["bulk_loads"] = {{"waiting_regions", loads->now.waiting},
                           {"since_ms", operations::OrNull(loads->now.since)},
                           {"rows", loads->now.rows},
                           {"failing", !loads->trouble.empty()}};
}

/// Built from facts only, because a message may name a row.
std::string RemedyOf(StatusCode code, const mapping::Index& index) {
  const std::string again = "; then start the index again";
  if (code == StatusCode::kNotFound) {
    return "a table or topic is missing. The error index_stopped in the log of this process names it. " +
           indexer::MissingRemedy(index);
  }
  if (code == StatusCode::kGap) {
    return indexer::GapRemedyOfAnyTopic(index);
  }
  if (code == StatusCode::kConfiguration) {
    return "'fensi check MAPPING --online --store URL --kafka HOST:PORT' and the error index_stopped in the log of "
           "this process say what to change" +
           again;
  }
  return "the error index_stopped in the log of this process says what is wrong" + again;
}

void AddEnd(const IndexRun& run, ordered_json* json) {
  if (!run.ended() || run.status().ok()) return;
  (*json)["reason"] = StatusCodeName(run.status().code());
  (*json)["remedy"] = RemedyOf(run.status().code(), run.index());
}

ordered_json TimingJson(const RecentTiming& timing) {
  return {{"per_s", timing.per_second},
          {"busy_s", timing.busy},
          {"p50_s", operations::OrNull(timing.p50)},
          {"p99_s", operations::OrNull(timing.p99)}};
}

void AddRecent(const Recent& recent, ordered_json* json) {
  (*json)["events_per_s"] = operations::OrNull(recent.events_per_second);
  ordered_json& phases = (*json)["phases"] = ordered_json::object();
  for (size_t i = 0; i < indexer::kPhases; ++i) phases[indexer::kPhaseNames[i]] = TimingJson(recent.phases[i]);
  ordered_json& calls = (*json)["store_calls"] = ordered_json::object();
  for (size_t i = 0; i < store::kCallKinds; ++i) calls[store::kCallKindNames[i]] = TimingJson(recent.calls[i]);
}

void AddPartitions(const consumer::StreamState& stream, const PartitionMoves& moves, bool paused, StatusTime now,
                   ordered_json* json) {
  ordered_json& partitions = (*json)["partitions"] = ordered_json::array();
  const size_t shown = std::min(stream.partitions.size(), MostPartitions());
  for (size_t i = 0; i < shown; ++i) {
    const char* const word = moves.WordOf(stream.partitions[i], paused, now.wall_millis, now.since_boot);
    partitions.push_back(PartitionJson(stream.partitions[i], word, now.wall_millis));
  }
}

/// Since when, in milliseconds since the epoch.
ordered_json Since(milliseconds ago, StatusTime now) { return now.wall_millis - ago.count(); }

ordered_json ServerJson(const char* name, const ServerStanding& server, const char* trouble, StatusTime now) {
  return {{"server", name},
          {"address", server.address},
          {"reachable", operations::OrNull(server.reachable)},
          {"trouble", server.away() ? trouble : ""},
          {"since_ms", server.away() ? Since(server.silent, now) : ordered_json()}};
}

/// The servers of HBase that hold up calls. A few name the cause.
ordered_json TroublesJson(const std::vector<store::ServerCalls>& servers) {
  constexpr size_t kMostTroubles = 20;
  ordered_json json = ordered_json::array();
  for (const store::ServerCalls& server : servers) {
    if (server.trouble.empty() && server.waiting == 0) continue;
    if (json.size() == kMostTroubles) break;
    json.push_back({{"server", server.address},
                    {"trouble", server.trouble},
                    {"calls_in_flight", server.in_flight},
                    {"calls_waiting", server.waiting}});
  }
  return json;
}

/// What keeps the index from working now, even if it may pass by itself in time.
std::string WhyWaits(const IndexRun& run, milliseconds now) {
  const std::string why = WhyNotReady(run, now, OutageWatch::kShortestOutage);
  const std::optional<consumer::GroupState> group = run.group();
  return why.empty() && group ? WhyWithoutPartitions(*group) : why;
}

}  // namespace

std::string SecondsText(milliseconds time) { return std::to_string(time.count() / 1000) + " s"; }

ordered_json IndexJson(const IndexRun& run, const RunPast& past,
                       const std::optional<std::map<std::string, int64_t>>& open_letters, StatusTime now) {
  const indexer::Counters counts = run.counts();
  const consumer::StreamState stream = run.stream();
  ordered_json json;
  json["name"] = run.name();
  json["state"] = run.state();
  AddEnd(run, &json);
  json["ready"] = !run.ended() && WhyNotReady(run, now.since_boot).empty();
  if (!run.paused().empty()) json["paused"] = run.paused();
  if (const auto since = run.mismatch_since()) {
    json["mismatch"] = {{"since_ms", *since}, {"remedy", indexer::MadeAgainText(run.index())}};
  }
  if (!run.ended()) json["waits_for"] = WhyWaits(run, now.since_boot);
  json["events"] = counts.events.load();
  json["puts"] = counts.puts.load();
  json["deletes"] = counts.deletes.load();
  if (run.index().changelog() != nullptr) {
    json["changelog"] = {{"topic", run.index().changelog()->topic},
                         {"messages", counts.changelog_messages.load()},
                         {"escaped_values", counts.changelog_escaped.load()},
                         {"too_large", counts.changelog_too_large.load()}};
  }
  json["dead_letters"] = LettersJson(counts);
  json["open_dead_letters"] = open_letters ? ordered_json(*open_letters) : ordered_json();
  json["fresh_until_ms"] = operations::OrNull(FreshUntil(stream));
  json["complete_ms"] = operations::OrNull(run.complete());
  json["lag_records"] = operations::OrNull(LagRecords(stream));
  json["lag_seconds"] = operations::OrNull(LagSeconds(stream, now.wall_millis));
  AddRecent(past.recent, &json);
  json["hbase_servers_in_trouble"] = TroublesJson(run.servers());
  AddScrub(run, &json);
  AddLoads(run, &json);
  json["held_bytes"] = stream.held_bytes;
  json["held_bytes_limit"] = stream.held_limit;
  json["topic_partitions"] = stream.topic_partitions;
  json["assigned_partitions"] = stream.assigned;
  AddPartitions(stream, past.moves, stream.at_rest, now, &json);
  return json;
}

ordered_json ServersJson(const ServerNames& names, const IndexRuns& runs, StatusTime now) {
  ordered_json json = ordered_json::array();
  if (!names.kafka.empty()) {
    json.push_back(ServerJson("kafka", StandingOfKafka(names, runs), "no broker of Kafka is connected", now));
  }
  json.push_back(ServerJson("store", StandingOfStore(names, runs, now),
                            "the store does not answer, and fensi repeats the calls", now));
  return json;
}

std::string WhyNotReady(const IndexRun& run, milliseconds now, milliseconds limit) {
  if (!run.reached())
    return "the index has not reached its tables, its state or its topic yet: the log of this process names the server";
  const consumer::StreamState stream = run.stream();
  if (stream.reachable) {
    if (stream.assignments == 0) {
      return "the consumer group has not admitted this daemon yet: wait up to --kafka_session_timeout_ms (45 s by "
             "default)";
    }
    if (stream.broker_silence > limit)
      return "no broker of Kafka has been connected for " + SecondsText(stream.broker_silence);
  }
  const std::optional<milliseconds> away = run.store_away_since();
  if (away && now - *away > limit) return "the store has not answered for " + SecondsText(now - *away);
  return "";
}

}  // namespace fensi::daemon
