// Selects dead letters by a person's options. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "operations/dead_letters/dead_letter_log.h"

namespace fensi::operations {

/// As a person types it; empty: any.
struct LetterFilterOptions {
  std::string kinds;         // names separated by commas
  std::string row;           // bytes as fensi writes them
  std::string since, until;  // times or milliseconds since the epoch
  std::string state;         // one of kLetterStateNames
  bool all = false;          // every dead letter is requested explicitly
};

struct LetterFilter {
  std::set<std::string> kinds;  // empty: any
  std::optional<std::string> row;
  std::optional<int64_t> since;      // time of the dead letter, inclusive
  std::optional<int64_t> until;      // exclusive
  std::optional<LetterState> state;  // absent: any
  std::set<Place> places;            // empty: any
  bool all = false;                  // every dead letter was requested explicitly

  /// With the given positions.
  static Result<LetterFilter> Of(const LetterFilterOptions& options, const std::vector<std::string>& places);

  bool Takes(const Place& place, LetterState state, const consumer::DeadLetterRecord& parked) const;
  /// True if any selection was given.
  bool given() const { return all || !kinds.empty() || row || since || until || !places.empty(); }
};

/// The dead letters of an index that a filter selects.
class ChosenLetters {
 public:
  ChosenLetters(const DeadLetterLog* parked, LetterFilter filter) : log_(parked), filter_(std::move(filter)) {}

  /// Each once: for one in parts the first part.
  Status ForEach(const DeadLetterLog::Use& use) const;
  const DeadLetterLog& all() const { return *log_; }

 private:
  const DeadLetterLog* const log_;
  const LetterFilter filter_;
};

}  // namespace fensi::operations
