// Which letters a person means. Pure but for the flags that Flags reads.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/parked/parked_letters.h"

namespace fensi::cli {

struct LetterFilter {
  std::set<std::string> kinds;  // empty: any
  std::optional<std::string> row;
  std::optional<int64_t> since;      // time of the letter, itself included
  std::optional<int64_t> until;      // itself not included
  std::optional<LetterState> state;  // absent: any
  std::set<Place> places;            // empty: any
  bool all = false;                  // every letter was asked for in so many words

  /// Of --kind, --row, --since, --until and --state, and the places that are named.
  static Result<LetterFilter> Flags(const std::vector<std::string>& places);

  bool Takes(const Place& place, LetterState state, const consumer::ParkedLetter& parked) const;
  /// Somebody said which letters.
  bool given() const { return all || !kinds.empty() || row || since || until || !places.empty(); }
};

/// The letters of an index that a filter takes.
class ChosenLetters {
 public:
  ChosenLetters(const ParkedLetters* parked, LetterFilter filter) : parked_(parked), filter_(std::move(filter)) {}

  /// Each once: of one in parts the first.
  Status ForEach(const ParkedLetters::Use& use) const;
  const ParkedLetters& all() const { return *parked_; }

 private:
  const ParkedLetters* const parked_;
  const LetterFilter filter_;
};

}  // namespace fensi::cli
