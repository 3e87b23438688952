// The status of an index by Kafka and its store, without a daemon. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/redactable_text.h"
#include "operations/dead_letters/ledger.h"

namespace fensi::operations {

/// A partition of the stream, and the progress of the index's group in it.
struct GroupPartition {
  int64_t log_start = 0;
  int64_t log_end = 0;
  std::optional<int64_t> committed = {};  // absent: the group has committed nothing
  std::optional<int64_t> next_time = {};  // Kafka's time of the next message, in milliseconds since the epoch

  int64_t Behind() const;
};

/// Dead letters of one kind, by LetterState.
using LetterCounts = std::array<int64_t, kLetterStateNames.size()>;

struct GroupStanding {
  std::string index, topic, group;
  std::string group_state;  // as Kafka reports it: Stable, Empty, Dead (unknown group), …
  int64_t members = 0;
  std::vector<GroupPartition> partitions;
  bool begun = false;                    // by its state table
  std::string paused;                    // who, when and why; empty: not paused
  bool mismatch = false;                 // its table was recreated, and nothing has proved it since
  std::string phase;                     // of the meta table; empty: not registered
  std::optional<int64_t> complete = {};  // its watermark, in milliseconds since the epoch
  std::map<std::string, LetterCounts> letters;
  std::vector<std::string> faults;  // checks that failed, and differences to the mapping file

  int64_t EventsBehind() const;
  /// The age of the oldest waiting message; absent: unknown.
  std::optional<double> SecondsBehind(int64_t now) const;
  int64_t OpenLetters() const;
  /// working, paused, mismatch, nobody (no daemon has it), new (no daemon ever had it), or wrong (see faults).
  std::string State() const;
};

/// For people: a table, and remarks about each.
std::string GroupsText(const std::vector<GroupStanding>& groups, int64_t now);

/// One object.
nlohmann::ordered_json GroupJson(const GroupStanding& group, int64_t now);

/// Why a person should check it, or empty. `most_seconds` 0: lag does not count.
std::string WhyInTrouble(const GroupStanding& group, int64_t most_seconds, int64_t now);

}  // namespace fensi::operations
