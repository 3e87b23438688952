// Implements `fensi dead-letters discard`: records in the ledger that some dead letters need no further action, and
// prints the plan and the result. The dead letters stay in their topic.
//
// Blocks; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "consumer/kafka/producer/partitioned_producer.h"
#include "mapping/index.h"
#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/ledger_writer.h"
#include "operations/dead_letters/letter_filter.h"

namespace fensi::operations {

class DeadLetterDiscard {
 public:
  DeadLetterDiscard(const DeadLetterLog* parked, LetterFilter filter, int64_t most)
      : chosen_(parked, std::move(filter)), most_(most) {}

  /// Counts the dead letters; with a ledger (null: none) also records them there.
  Status Run(LedgerWriter* ledger);
  const std::map<std::string, int64_t>& kinds() const { return kinds_; }
  int64_t letters() const { return letters_; }

 private:
  const ChosenLetters chosen_;
  const int64_t most_;
  std::map<std::string, int64_t> kinds_;
  int64_t letters_ = 0;
};

struct DiscardWish {
  LetterFilter filter;
  int64_t most = 0;                    // maximum number; 0: all
  std::string reason;                  // for the ledger
  std::function<void()> say_the_line;  // prints the command line that executes the plan
};

/// Prints what would be discarded. The ledger must be read before.
Status PlanDiscard(const DeadLetterLog& letters, const DiscardWish& wish);

/// Records in the ledger, through `writer`, that the dead letters need no further action. The ledger must be read
/// before.
Status DiscardDeadLetters(const mapping::Index& index, const DeadLetterLog& letters, const DiscardWish& wish,
                          consumer::MessageWriter* writer);

}  // namespace fensi::operations
