#include "cli/run/server_standing.h"

#include <algorithm>

#include "cli/flags/flags.h"

namespace fensi::cli {

using std::chrono::milliseconds;

ServerStanding StandingOfKafka(const IndexRuns& runs) {
  ServerStanding kafka{.address = FLAGS_source.substr(FLAGS_source.find("//") + 2)};
  for (const auto& run : runs) {
    const consumer::StreamState stream = run->stream();
    if (run->ended() || !stream.reachable) continue;
    kafka.reachable = kafka.reachable.value_or(true) && *stream.reachable;
    if (*stream.reachable) continue;
    kafka.silent = std::max(kafka.silent, stream.broker_silence);
    kafka.waiting.push_back(run->name());
  }
  return kafka;
}

ServerStanding StandingOfStore(const IndexRuns& runs, StatusTime now) {
  ServerStanding store{.address = FLAGS_store};
  for (const auto& run : runs) {
    if (run->ended()) continue;
    const std::optional<milliseconds> away = run->store_away_since();
    if (away || run->reached()) store.reachable = store.reachable.value_or(true) && !away;
    store.reached |= run->reached() && !away;
    if (!away) continue;
    if (now.since_boot - *away >= store.silent) store.why = run->trouble().open();
    store.silent = std::max(store.silent, now.since_boot - *away);
    store.waiting.push_back(run->name());
  }
  return store;
}

}  // namespace fensi::cli
