// The status of indexes and captures, merged from the answers of their daemons. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operations/status/daemons.h"

namespace fensi::operations {

/// A partition with a lag.
struct PartitionBehind {
  int64_t partition = 0;
  std::string place;  // of its owner
  int64_t events = 0;
  std::optional<double> seconds;  // age of the oldest event that is not applied, if known
  bool queue_full = false;
};

/// A daemon's message about an index.
struct Remark {
  std::string place;
  std::string text;
};

/// The status of an index over all daemons that run it.
struct IndexStanding {
  std::string name;
  std::string state;  // the most serious of theirs
  int64_t daemons = 0;
  int64_t partitions = 0;               // of the topic; 0 for a file
  int64_t owned_partitions = 0;         // by the daemons that answered
  int64_t applied_events = 0;           // since the start of each
  std::optional<int64_t> dead_letters;  // open; absent: not counted by any daemon
  std::optional<int64_t> complete;      // its watermark, in milliseconds since the epoch
  int64_t now = 0;                      // the same, by the clock of the daemon that has this watermark
  std::vector<PartitionBehind> behind;  // the oldest first
  int64_t hidden_events = 0;            // lag of partitions that daemons do not list one by one
  std::optional<double> hidden_seconds = 0;
  std::vector<Remark> remarks;
  int64_t loads_waiting = 0;   // loaded regions whose rows are not in the index yet
  int64_t loads_since = 0;     // when the oldest was met, in milliseconds since the epoch
  int64_t load_rows = 0;       // that the current job has read
  bool loads_failing = false;  // a daemon cannot read them now
  bool mismatch = false;       // its table was recreated, and nothing has proved the index since

  int64_t EventsBehind() const;
  /// Absent: it lags for an unknown time.
  std::optional<double> SecondsBehind() const;
  /// For how long the watermark has not advanced although daemons have applied all of the topic: changes may wait
  /// before the topic. Absent: it advances, there is none, or the topic itself is behind or unknown.
  std::optional<std::chrono::milliseconds> SilentFor() const;
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

/// kConfiguration names the daemon with an answer that is not of this format.
Result<Standings> StandingsOf(const std::vector<Daemon>& daemons);

/// Why the index lags more than this many seconds; empty if it does not.
std::string WhyLate(const IndexStanding& index, int64_t most_seconds);

/// Why an index with this lag is late; empty: it is not. Absent: the lag is unknown.
std::string WhyBehind(std::optional<double> seconds, int64_t most_seconds);

}  // namespace fensi::operations
