// Implements `fensi dead-letters show`: one dead letter with all its details. Blocks; one thread.
#pragma once

#include <memory>

#include "consumer/codec/event_decoder.h"
#include "mapping/index.h"
#include "operations/dead_letters/dead_letter_log.h"
#include "operations/dead_letters/letter_joiner.h"

namespace fensi::operations {

/// The original message, as `fensi tail` would print it, or why it cannot; fills `event` if it is one.
Result<std::string> OriginalLine(const consumer::DeadLetter& letter, consumer::Format format, ChangeEvent* event);

/// kNotFound: no dead letter of the index has this position. kInvalidArgument: it lacks parts.
Result<PlacedLetter> FindLetter(const DeadLetterLog& parked, const Place& place);

/// Prints its status, reason, coordinates, bytes, the event, and what the current mapping makes of it. The ledger must
/// be read before.
Status ShowLetter(const DeadLetterLog& parked, const PlacedLetter& letter, std::shared_ptr<const mapping::Index> index,
                  consumer::Format format, bool json);

}  // namespace fensi::operations
