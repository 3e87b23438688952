// The settings that all captures of one root share, stored in the znode ROOT/capture. Region servers spread their edits
// over all captures of a root: if two captures did different things, edits would be acknowledged and lost.
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
  std::string kafka;                          // id of the Kafka cluster of the topics
  std::string source;                         // id of the HBase cluster; empty until its first edit arrives
  int64_t message_bytes = 0;                  // a larger mutation is sent in parts
  std::map<std::string, std::string> topics;  // table -> topic
  std::set<std::string> dropped;              // tables that were captured once, and are not captured any more

  bool operator==(const Agreement&) const = default;
};

/// One line per fact; the first line has the format.
std::string AgreementText(const Agreement& agreement);
/// kConfiguration: not written by this version; names the remedy.
Result<Agreement> ParseAgreement(const std::string& text);

/// `wanted` beside other captures that use `found`: ok, with their source; kConfiguration names the difference.
Result<Agreement> JoinAgreement(const Agreement& found, const Agreement& wanted);

/// `wanted` in place of `found`, while no capture runs. kConfiguration if edits would be lost: another Kafka cluster,
/// or a table that is not captured any more, or to another topic, and is not in `drop`.
Result<Agreement> ReplaceAgreement(const Agreement& found, Agreement wanted, const std::set<std::string>& drop);

}  // namespace fensi::capture
