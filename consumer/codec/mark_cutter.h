// A mark in as many messages as it takes.
//
// Pure, any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "base/status.h"
#include "consumer/codec/mark_codec.h"

namespace fensi::consumer {

/// Marks that together say the same: the value of none has more than `most` bytes, and the first has the members, which
/// readers must meet before the calls. kRejected: the members alone have more.
Result<std::vector<Mark>> CutMark(Mark mark, size_t most);

}  // namespace fensi::consumer
