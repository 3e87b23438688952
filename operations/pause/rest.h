// Waits until a pause has taken effect in the daemons of an index. Blocks on them; one thread.
#pragma once

#include <chrono>
#include <string>

#include "base/status.h"
#include "operations/status/daemons.h"

namespace fensi::operations {

/// The daemons that still work on the index, or may; empty: all are quiesced. A daemon that cannot be reached may.
/// kUnavailable: no daemon has the index. Pure.
Result<std::string> WhoMayWork(const Daemons& daemons, const std::string& index);

/// Returns when every given daemon, or every daemon of this machine, that has the index has nothing of it in flight.
/// kUnavailable: none has it, or none answers; kCancelled: one still works after `longest`.
Status AwaitRest(const std::string& index, const DaemonsOptions& options, std::chrono::seconds longest);

}  // namespace fensi::operations
