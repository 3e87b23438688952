// How an index stands by what Kafka and its store say of it, when no daemon is asked. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "cli/parked/ledger.h"

namespace fensi::cli {

/// A partition of the stream, and how far the group of the index is in it.
struct GroupPartition {
  int64_t log_start = 0;
  int64_t log_end = 0;
  std::optional<int64_t> committed = {};  // absent: the group has committed nothing
  std::optional<int64_t> next_time = {};  // Kafka's time of the next message, in milliseconds since the epoch

  int64_t Behind() const;
};

/// Letters of one kind, by LetterState.
using LetterCounts = std::array<int64_t, kLetterStateNames.size()>;

struct GroupStanding {
  std::string index, topic, group;
  std::string group_state;  // as Kafka writes it: Stable, Empty, Dead (it does not know the group), …
  int64_t members = 0;
  std::vector<GroupPartition> partitions;
  bool begun = false;                    // its state table says so
  std::string paused;                    // by whom, when and why; empty: nobody
  bool mismatch = false;                 // its table was made again, and nobody has proved it since
  std::string phase;                     // of the meta table; empty: it does not know the index
  std::optional<int64_t> complete = {};  // up to when it has all of its source, in milliseconds since the epoch
  std::map<std::string, LetterCounts> letters;
  std::vector<std::string> faults;  // what could not be looked at, or is not as the mapping file has it

  int64_t EventsBehind() const;
  /// The age of the oldest message that waits; absent: nobody knows.
  std::optional<double> SecondsBehind(int64_t now) const;
  int64_t OpenLetters() const;
  /// working, paused, mismatch, nobody (no daemon has it), new (nobody ever had), or wrong (see faults).
  std::string State() const;
};

/// For people: a table, and what there is to say of each.
std::string GroupsText(const std::vector<GroupStanding>& groups, int64_t now);

/// One object.
nlohmann::ordered_json GroupJson(const GroupStanding& group, int64_t now);

/// Why somebody should look, or empty. `most_seconds` 0: however late it is.
std::string WhyInTrouble(const GroupStanding& group, int64_t most_seconds, int64_t now);

}  // namespace fensi::cli
