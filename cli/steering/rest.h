// What a pause comes to in the daemons of an index. Blocks on them; one thread.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::cli {

/// Returns when every daemon of --daemon, or of this machine, that has the index has nothing of it in hand.
/// kUnavailable: none has it, or none answers; kCancelled: one works on after --wait_s.
Status AwaitRest(const std::string& index);

}  // namespace fensi::cli
