// How indexes and captures stand, put together of what their daemons say. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/status/daemons.h"

namespace fensi::cli {

/// A partition of which not all is applied.
struct PartitionBehind {
  int64_t partition = 0;
  std::string place;  // of its owner
  int64_t events = 0;
  std::optional<double> seconds;  // the age of the oldest event that is not applied, if it is known
  bool queue_full = false;
};

/// What one daemon says of an index beside its figures.
struct Remark {
  std::string place;
  std::string text;
};

/// An index of all daemons that run it.
struct IndexStanding {
  std::string name;
  std::string state;  // the most serious of theirs
  int64_t daemons = 0;
  int64_t partitions = 0;               // of the topic; 0 for a file
  int64_t owned_partitions = 0;         // by daemons that were asked
  int64_t applied_events = 0;           // since each of them began
  std::optional<int64_t> dead_letters;  // open; absent: no daemon has counted them
  std::optional<int64_t> fresh_until;   // milliseconds since the epoch
  std::vector<PartitionBehind> behind;  // the oldest first
  int64_t hidden_events = 0;            // behind, of partitions that daemons do not show one by one
  std::optional<double> hidden_seconds = 0;
  std::vector<Remark> remarks;
  bool mismatch = false;  // its table was made again, and nobody has proved the index since

  int64_t EventsBehind() const;
  /// Absent: it is behind, and nobody knows for how long.
  std::optional<double> SecondsBehind() const;
  bool Stopped() const { return state == "stopped"; }
};

struct CaptureStanding {
  std::string place;
  bool registered = false;
  int64_t connections = 0;
  int64_t events = 0;
  int64_t alarms = 0;
  int64_t newest_write = 0;                      // milliseconds since the epoch; 0: none
  std::optional<int64_t> kafka_away_since = {};  // the same; absent: Kafka answers
};

struct Standings {
  std::vector<IndexStanding> indexes;  // by name
  std::vector<CaptureStanding> captures;
};

/// kConfiguration names the daemon whose answer is not what a fensi of this format says.
Result<Standings> StandingsOf(const std::vector<Daemon>& daemons);

/// Why the index is later than so many seconds, in words; empty when it is not.
std::string WhyLate(const IndexStanding& index, int64_t most_seconds);

}  // namespace fensi::cli
