// Events as JSON lines on standard input. Blocks until the input ends; one thread.
#pragma once

#include <cstdint>
#include <functional>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::cli {

/// Calls `use` for every line that is not blank, with its number (from 1) and the event or why it is none. Ends at the
/// end of the input or with the first error that `use` returns.
Status ForEachEventLine(const std::function<Status(int64_t line, const Result<ChangeEvent>& event)>& use);

}  // namespace fensi::cli
