#include "daemon/log/outage_watch.h"

#include "base/shown_text.h"
#include "operations/access/position.h"

namespace fensi::daemon {

std::optional<LogEntry> OutageWatch::Note(const Sight& sight) {
  const std::string name = server_ + " at " + address_;
  if (!sight.away && away_since_) {
    const int64_t seconds = (sight.wall_millis - *away_since_) / 1000;
    away_since_.reset();
    return LogEntry{
        "server_reachable", name + " is reachable again after " + DurationText(seconds), {.server = address_}};
  }
  if (!sight.away || away_since_ || sight.silent < kShortestOutage) return std::nullopt;
  away_since_ = sight.wall_millis - sight.silent.count();
  return LogEntry{"server_unreachable",
                  UnreachableText(name, operations::TimeText(*away_since_)) + " (" +
                      DurationText(sight.silent.count() / 1000) + "): " + sight.waits,
                  {.server = address_}};
}

}  // namespace fensi::daemon
