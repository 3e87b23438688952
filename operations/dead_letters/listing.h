// Implements `fensi dead-letters list`: the number of dead letters, by kind, and since when; or each of them in a line.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/letter_filter.h"

namespace fensi::operations {

/// Row keys, and reasons, which may quote rows, only if requested.
struct ListingOptions {
  bool letters = false;
  bool rows = false;
  bool json = false;
};

/// Prints the list. Blocks while it reads; the ledger must be read before.
class Listing {
 public:
  Listing(const DeadLetterLog* parked, LetterFilter filter, const ListingOptions& options)
      : chosen_(parked, std::move(filter)), options_(options) {}
  Status Run();

 private:
  struct Kind {
    std::array<int64_t, kLetterStateNames.size()> states{};
    int64_t oldest = INT64_MAX;
    int64_t newest = INT64_MIN;
  };
  Result<bool> Take(const Place& place, LetterState state, const consumer::DeadLetterRecord& parked);
  void PrintLetter(const Place& place, LetterState state, const consumer::DeadLetterRecord& parked) const;
  void PrintKind(const std::string& name, const Kind& kind) const;
  void PrintTotal() const;

  const ChosenLetters chosen_;
  const ListingOptions options_;
  std::map<std::string, Kind> kinds_;
  int64_t taken_ = 0;
};

}  // namespace fensi::operations
