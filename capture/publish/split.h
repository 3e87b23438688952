// Cuts a change event that is too large for one message into parts that are not.
#pragma once

#include <vector>

#include "base/cell.h"

namespace fensi::capture {

/// An upper bound of the bytes that key and value of the event's message take.
size_t MessageBound(const ChangeEvent& event);

struct SplitResult {
  /// The whole event, or its parts; together all cells that fit, in their order. Empty: none does.
  std::vector<ChangeEvent> messages;
  /// Cells that alone are above the limit.
  std::vector<Cell> too_large;
};

/// Each message stays within `limit` by MessageBound.
SplitResult SplitEvent(ChangeEvent event, size_t limit);

}  // namespace fensi::capture
