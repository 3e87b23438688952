// Calls the active master, whichever server that is, and runs procedures on it. Blocks.
#pragma once

#include <google/protobuf/message_lite.h>

#include <string>

#include "hbase/calls/context.h"
#include "hbase/wire/answer_queue.h"

namespace fensi::hbase {

/// The error's code classifies it (CodeOf). Retries for a while if the master is unreachable or starting. A call that
/// changes something, and times out, ends its connection, so that the master does not start it later.
Status CallMaster(const CallContext& context, const std::string& method, const google::protobuf::MessageLite& request,
                  google::protobuf::MessageLite* response, Effect effect = Effect::kNone);

/// Starts a procedure, and waits until it has ended. Returns its error.
Status RunProcedure(const CallContext& context, const std::string& method,
                    const google::protobuf::MessageLite& request);

/// A number for a request that the master may receive twice: it runs one procedure for both.
uint64_t NewNonce();

}  // namespace fensi::hbase
