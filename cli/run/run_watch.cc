#include "cli/run/run_watch.h"

#include <string>
#include <utility>

#include "base/joined.h"
#include "cli/flags/flags.h"
#include "cli/run/sources.h"

namespace fensi::cli {
namespace {

constexpr std::chrono::milliseconds kLookPause{500};

std::string KafkaAddress() { return SourceIsKafka() ? StandingOfKafka({}).address : ""; }

OutageWatch::Sight SightOf(const ServerStanding& server, int64_t wall_millis) {
  const std::string names = Joined(server.waiting);
  std::string waits = server.waiting.size() == 1 ? "index " + names + " waits and goes on by itself when it answers"
                                                 : "indexes " + names + " wait and go on by themselves when it answers";
  if (server.reached)
    waits += ". Other indexes reach it, so 'fensi check MAPPING --online' tells which table is at fault";
  if (!server.why.empty()) waits += " (" + server.why + ")";
  return {.away = server.away(), .silent = server.silent, .waits = std::move(waits), .wall_millis = wall_millis};
}

std::unique_ptr<IndexWatch> WatchOf(const IndexRun& run) {
  const mapping::Index& index = run.index();
  return std::make_unique<IndexWatch>(
      IndexWatch::Names{.index = index.name(),
                        .topic = index.topic(),
                        .group = index.group(),
                        .list_dead_letters = DeadLetterSinks::ListCommand(index, run.mapping_path()),
                        .source = index.source_table(),
                        .watches = Joined(WatchTexts(index.watches()))});
}

}  // namespace

RunWatch::RunWatch(const IndexRunList& runs, Clock* clock)
    : runs_(runs), clock_(clock), kafka_("Kafka", KafkaAddress()), store_("the store", FLAGS_store) {}

void RunWatch::Tick() {
  const std::chrono::milliseconds now = clock_->SinceBoot();
  if (now < next_) return;
  next_ = now + kLookPause;
  const IndexRuns runs = runs_.all();
  LookAtServers(runs);
  for (const auto& run : runs) {
    if (!run->ended()) Look(*run);
  }
}

void RunWatch::LookAtServers(const IndexRuns& runs) {
  const StatusTime now{clock_->SinceBoot(), clock_->WallMillis()};
  const auto note = [&](OutageWatch* watch, const ServerStanding& server) {
    if (!server.reachable) return;  // no index asks it: nobody knows
    if (const auto due = watch->Note(SightOf(server, now.wall_millis))) Write(*due);
  };
  if (SourceIsKafka()) note(&kafka_, StandingOfKafka(runs));
  note(&store_, StandingOfStore(runs, now));
}

void RunWatch::Look(const IndexRun& run) {
  std::unique_ptr<IndexWatch>& watch = watches_[&run];
  if (watch == nullptr) watch = WatchOf(run);
  for (const LogEntry& due : watch->Note(run.group().value_or(consumer::GroupState()), run.counts())) Write(due);
}

void RunWatch::NoteEnd(const IndexRun& run) {
  Look(run);
  watches_.erase(&run);
}

}  // namespace fensi::cli
