// What a pause comes to in the daemons of an index. Blocks on them; one thread.
#pragma once

#include <string>

#include "base/status.h"
#include "cli/status/daemons.h"

namespace fensi::cli {

/// Who of them still works on the index, or may, in words; empty: all rest. Who cannot be asked may. kUnavailable:
/// nobody has it. Pure.
Result<std::string> WhoMayWork(const Daemons& daemons, const std::string& index);

/// Returns when every daemon of --daemon, or of this machine, that has the index has nothing of it in hand.
/// kUnavailable: none has it, or none answers; kCancelled: one works on after --wait_s.
Status AwaitRest(const std::string& index);

}  // namespace fensi::cli
