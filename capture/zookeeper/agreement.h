// What all captures of one root have in common, as it stands in the znode ROOT/capture. Region servers spread their
// edits over all captures of a root: where two of them did different things, edits would be acknowledged and lost.
//
// Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "base/status.h"

namespace fensi::capture {

struct Agreement {
  std::string kafka;                          // id of the cluster that holds the topics
  std::string source;                         // id of the HBase cluster; empty until its first edit came
  int64_t message_bytes = 0;                  // above which a mutation travels in parts
  std::map<std::string, std::string> topics;  // of each table
  std::set<std::string> dropped;              // tables that were captured once, and are not any more

  bool operator==(const Agreement&) const = default;
};

/// A line for each fact, the first says which form it is.
std::string AgreementText(const Agreement& agreement);
/// kConfiguration: not written by this version; says what to do.
Result<Agreement> ParseAgreement(const std::string& text);

/// `wanted` beside others who work by `found`: ok, with the source they know; kConfiguration names the difference.
Result<Agreement> JoinAgreement(const Agreement& found, const Agreement& wanted);

/// `wanted` in place of `found`, nobody being at work. kConfiguration when edits would be lost: another Kafka, or a
/// table that is not captured any more, or into another topic, and that `drop` does not name.
Result<Agreement> ReplaceAgreement(const Agreement& found, Agreement wanted, const std::set<std::string>& drop);

}  // namespace fensi::capture
