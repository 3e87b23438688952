// `fensi parked drop`: the ledger says that nothing more is to be done about some letters. They stay where they are.
//
// Blocks; one thread.
#pragma once

#include <map>
#include <string>

#include "cli/parked/ledger_writer.h"
#include "cli/parked/letter_filter.h"
#include "cli/parked/parked_letters.h"

namespace fensi::cli {

class LetterDrop {
 public:
  LetterDrop(const ParkedLetters* parked, LetterFilter filter, int64_t most)
      : chosen_(parked, std::move(filter)), most_(most) {}

  /// Counts; with a ledger (null: none) it also says so there.
  Status Run(LedgerWriter* ledger);
  const std::map<std::string, int64_t>& kinds() const { return kinds_; }
  int64_t letters() const { return letters_; }

 private:
  const ChosenLetters chosen_;
  const int64_t most_;
  std::map<std::string, int64_t> kinds_;
  int64_t letters_ = 0;
};

}  // namespace fensi::cli
