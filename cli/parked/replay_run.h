// A replay of letters from the command line: what is needed for it, its plan, its work and how it ended.
//
// Blocks on Kafka and on the store; one thread.
#pragma once

#include <functional>

#include "cli/parked/letter_filter.h"
#include "cli/parked/parked_letters.h"
#include "consumer/codec/event_decoder.h"
#include "mapping/index.h"

namespace fensi::cli {

struct ReplayWish {
  LetterFilter filter;
  consumer::Format format = consumer::Format::kChangeEvent;
  std::function<void()> say_the_line;  // which does what was planned
};

/// The exit code. The ledger of the letters has been read. With --execute behind BlockStopSignals.
Result<int> ReplayLetters(const mapping::Index& index, const ParkedLetters& parked, ReplayWish wish);

}  // namespace fensi::cli
