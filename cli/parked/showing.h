// `fensi parked show`: one letter with everything there is to know about it. Blocks; one thread.
#pragma once

#include <memory>

#include "cli/parked/letter_joiner.h"
#include "cli/parked/parked_letters.h"
#include "consumer/codec/event_decoder.h"
#include "mapping/index.h"

namespace fensi::cli {

/// A message that was parked, as `fensi tail` would print it, or why it cannot be; `event` is filled where it is one.
Result<std::string> OriginalLine(const consumer::DeadLetter& letter, consumer::Format format, ChangeEvent* event);

/// kNotFound: no letter of the index stands there. kInvalidArgument: it lacks parts.
Result<PlacedLetter> FindLetter(const ParkedLetters& parked, const Place& place);

/// Prints what was done about it, reason, coordinates, bytes, the event, and what the mapping of today makes of it. The
/// ledger has been read.
Status ShowLetter(const ParkedLetters& parked, const PlacedLetter& letter, std::shared_ptr<const mapping::Index> index,
                  consumer::Format format, bool json);

}  // namespace fensi::cli
