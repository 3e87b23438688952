#include "daemon/status/run_watch.h"

#include <string>
#include <utility>

#include "base/text.h"
#include "daemon/sources/sources.h"

namespace fensi::daemon {
namespace {

constexpr std::chrono::milliseconds kLookPause{500};

OutageWatch::Sight SightOf(const ServerStanding& server, int64_t wall_millis) {
  const std::string names = Joined(server.waiting);
  std::string waits = server.waiting.size() == 1
                          ? "index " + names + " waits and continues by itself when the server answers"
                          : "indexes " + names + " wait and continue by themselves when the server answers";
  if (server.reached) {
    waits +=
        ". Other indexes reach it, so a table may be disabled or missing: 'fensi check MAPPING --online --store URL' "
        "names the table";
  }
  if (!server.why.empty()) waits += " (" + server.why + ")";
  return {.away = server.away(), .silent = server.silent, .waits = std::move(waits), .wall_millis = wall_millis};
}

std::unique_ptr<IndexWatch> WatchOf(const IndexRun& run, const DeadLetterSinks& letters) {
  const mapping::Index& index = run.index();
  return std::make_unique<IndexWatch>(
      IndexWatch::Names{.index = index.name(),
                        .topic = index.topic(),
                        .group = index.group(),
                        .list_dead_letters = letters.ListCommand(index, run.mapping_path()),
                        .source = index.source_table(),
                        .watches = Joined(WatchTexts(index.watches()))});
}

}  // namespace

RunWatch::RunWatch(const IndexRunList& runs, const StartOptions& start, Clock* clock)
    : runs_(runs),
      servers_(NamesOf(start)),
      letters_(start.source),
      clock_(clock),
      kafka_("Kafka", servers_.kafka),
      store_("the store", servers_.store) {}

void RunWatch::Tick() {
  const std::chrono::milliseconds now = clock_->MonotonicNow();
  if (now < next_) return;
  next_ = now + kLookPause;
  const IndexRuns runs = runs_.all();
  LookAtServers(runs);
  for (const auto& run : runs) {
    if (!run->ended()) Look(*run);
  }
}

void RunWatch::LookAtServers(const IndexRuns& runs) {
  const StatusTime now{clock_->MonotonicNow(), clock_->WallMillis()};
  const auto note = [&](OutageWatch* watch, const ServerStanding& server) {
    if (!server.reachable) return;  // no index asks it: nobody knows
    if (const auto due = watch->Note(SightOf(server, now.wall_millis))) Write(*due);
  };
  if (!servers_.kafka.empty()) note(&kafka_, StandingOfKafka(servers_, runs));
  note(&store_, StandingOfStore(servers_, runs, now));
}

void RunWatch::Look(const IndexRun& run) {
  std::unique_ptr<IndexWatch>& watch = watches_[&run];
  if (watch == nullptr) watch = WatchOf(run, letters_);
  for (const LogEntry& due : watch->Note(run.group().value_or(consumer::GroupState()), run.counts())) Write(due);
}

void RunWatch::NoteEnd(const IndexRun& run) {
  Look(run);
  watches_.erase(&run);
}

}  // namespace fensi::daemon
