#include "daemon/status/server_standing.h"

#include <algorithm>

namespace fensi::daemon {

using std::chrono::milliseconds;

ServerNames NamesOf(const StartOptions& start) {
  const std::string& source = start.source.url;
  return {start.source.is_kafka() ? source.substr(source.find("//") + 2) : "", start.store.url};
}

ServerStanding StandingOfKafka(const ServerNames& names, const IndexRuns& runs) {
  ServerStanding kafka{.address = names.kafka};
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

ServerStanding StandingOfStore(const ServerNames& names, const IndexRuns& runs, StatusTime now) {
  ServerStanding store{.address = names.store};
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

}  // namespace fensi::daemon
