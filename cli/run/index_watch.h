// What the log of a daemon has to say of one index between its beginning and its end: partitions that the group gives
// and takes, and new dead letters. It compares what the index was at the last look with what it is now.
//
// Pure; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/log/log_entry.h"
#include "consumer/kafka/group_state.h"
#include "indexer/counters.h"

namespace fensi::cli {

class IndexWatch {
 public:
  /// So many events of the source table, none of which has a watched column, are a typing error and no coincidence.
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

  /// The lines that are due, in the order in which things happened.
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

/// Of no event of the table the state of a unit was wanted: not one had a cell that the index watches.
bool TouchedNothing(const indexer::Counters& counts);

/// Why an index has no partition at the moment, or empty: it has some, or others of its group have all.
std::string WhyWithoutPartitions(const consumer::GroupState& group);

}  // namespace fensi::cli
