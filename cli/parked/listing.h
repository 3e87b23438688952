// `fensi parked list`: how many letters there are, of which kind, and since when; or each of them in a line.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "cli/parked/letter_filter.h"
#include "cli/parked/parked_letters.h"

namespace fensi::cli {

/// Row keys, and reasons, which may quote rows, only where they are asked for.
struct ListingOptions {
  bool letters = false;
  bool rows = false;
  bool json = false;
};

/// Prints. Blocks while it reads; the ledger has been read.
class Listing {
 public:
  Listing(const ParkedLetters* parked, LetterFilter filter, const ListingOptions& options)
      : chosen_(parked, std::move(filter)), options_(options) {}
  Status Run();

 private:
  struct Kind {
    std::array<int64_t, kLetterStateNames.size()> states{};
    int64_t oldest = INT64_MAX;
    int64_t newest = INT64_MIN;
  };
  Result<bool> Take(const Place& place, LetterState state, const consumer::ParkedLetter& parked);
  void PrintLetter(const Place& place, LetterState state, const consumer::ParkedLetter& parked) const;
  void PrintKind(const std::string& name, const Kind& kind) const;
  void PrintTotal() const;

  const ChosenLetters chosen_;
  const ListingOptions options_;
  std::map<std::string, Kind> kinds_;
  int64_t taken_ = 0;
};

}  // namespace fensi::cli
