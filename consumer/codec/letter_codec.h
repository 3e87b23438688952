// Decodes messages of a topic of dead letters: dead letters, and the ledger of what was done with them.
//
// Pure. Bytes that are written by hand, cut, foreign or of a newer fensi are reported as such, never guessed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "consumer/dead_letters.h"

namespace fensi::consumer {

/// A dead letter, or with `parts` > 0 its part `part` (from 1).
struct DeadLetterRecord {
  DeadLetter letter;
  int64_t time = 0;  // milliseconds since the epoch
  uint32_t part = 0;
  uint32_t parts = 0;

  /// True for the first part of a dead letter, which alone is counted and named.
  bool begins() const { return parts == 0 || part == 1; }
};

struct DeadLetterRange {
  int64_t first = 0;
  int64_t last = 0;  // inclusive
  bool operator==(const DeadLetterRange&) const = default;
};

/// An entry of the ledger, about dead letters of its own partition.
struct Resolution {
  enum class Action { kReplayed, kDropped };
  std::string index;
  Action action = Action::kReplayed;
  std::vector<DeadLetterRange> letters;
  std::string who;
  std::string why;
  int64_t time = 0;
  bool operator==(const Resolution&) const = default;
};

using DeadLetterMessage = std::variant<DeadLetterRecord, Resolution>;

/// kInvalidArgument: neither of both, with the reason for a person.
Result<DeadLetterMessage> DecodeDeadLetterMessage(std::string_view bytes);
std::string EncodeResolution(const Resolution& resolution);

}  // namespace fensi::consumer
