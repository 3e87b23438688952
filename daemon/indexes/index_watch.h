// Makes the log lines about one index between its start and its end: partitions that the group assigns and revokes, and
// new dead letters. Compares the index with its last state.
//
// Pure; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "consumer/kafka/client/group_admin.h"
#include "daemon/log/log_entry.h"
#include "indexer/timings.h"

namespace fensi::daemon {

class IndexWatch {
 public:
  /// This many events of the source table without a watched column are a typing error and no coincidence.
  static constexpr int64_t kManyUntouched = 10'000;

  struct Names {
    std::string index;
    std::string topic;
    std::string group;
    std::string list_dead_letters;  // the command
    std::string source;             // table
    std::string watches;            // "f1:from, f1:to"
  };

  explicit IndexWatch(Names names) : names_(std::move(names)) {}

  /// The due lines, in the order of their causes.
  std::vector<LogEntry> Note(const consumer::GroupState& group, const indexer::Counters& counts);

 private:
  void NotePartitions(const consumer::GroupState& group, std::vector<LogEntry>* due);
  void NoteDeadLetters(const indexer::Counters& counts, std::vector<LogEntry>* due);
  void NoteUntouched(const indexer::Counters& counts, std::vector<LogEntry>* due);
  LogFields Fields() const { return {.index = names_.index, .topic = names_.topic}; }

  const Names names_;
  consumer::GroupState last_;
  std::array<int64_t, indexer::kLetterKinds> letters_{};
  bool untouched_told_ = false;
};

/// "0 to 3, 5".
std::string PartitionsText(const std::vector<int32_t>& partitions);

/// True if no event of the table needed a state: no event had a cell that the index watches.
bool TouchedNothing(const indexer::Counters& counts);

/// Why an index has no partition at the moment; empty: it has some, or other members of its group have all.
std::string WhyWithoutPartitions(const consumer::GroupState& group);

}  // namespace fensi::daemon
