// Reads a changelog as its consumers do: parses the envelopes, and rebuilds the table from them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "consumer/changelog.h"
#include "tests/indexer/support/rules.h"

namespace fensi::testing {

/// One message. A tombstone has no envelope.
struct ReadMessage {
  std::string row;
  bool tombstone = false;
  std::string operation;  // c, r, u, d
  nlohmann::json before, after, source;
};

/// Throws if a message is not JSON, or its key is not the key of its envelope.
std::vector<ReadMessage> ReadMessages(const std::vector<consumer::ChangelogMessage>& messages);

/// The table that a consumer has after all messages; the columns are the names of the fields.
Entries Rebuilt(const std::vector<ReadMessage>& messages);

/// What is wrong with the form of the messages; empty: nothing. Each `d` is followed by its tombstone.
std::string FaultOfForm(const std::vector<ReadMessage>& messages);

/// "c r {f:k=a}", "u r {f:k=a} {f:k=b}", "d r {f:k=b}", "- r" for a tombstone.
std::string ShortText(const std::vector<consumer::ChangelogMessage>& messages);

/// Rules that an index with a changelog may have: a copy of two columns, a key that moves with a value, a condition.
std::vector<Rule> ChangelogRules();
Rule CopyRule();

}  // namespace fensi::testing
