// Puts and deletes of many rows, and a conditional put. Blocks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "hbase/calls/context.h"
#include "hbase/requests.h"

namespace fensi::hbase {

/// Returns the mutations that HBase refuses; all others were applied. An error: any subset may have been.
Result<std::vector<Refusal>> WriteBatch(const CallContext& context, const std::string& table,
                                        std::span<const Mutation> mutations);

/// The result of a conditional put. kUnavailable: it may have been done.
struct ConditionalOutcome {
  bool done = false;
  std::optional<RemoteError> refused;  // HBase refuses the put, or lacks a family
};
Result<ConditionalOutcome> WriteIf(const CallContext& context, const std::string& table, const Mutation& put,
                                   const Condition& condition);

}  // namespace fensi::hbase
