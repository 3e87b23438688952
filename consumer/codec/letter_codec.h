// Messages of a topic of dead letters as they are read back: letters, and the ledger of what was done about them.
//
// Pure. What is written by hand, cut, of somebody else or of a newer fensi is named and never guessed at.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "consumer/dead_letters.h"

namespace fensi::consumer {

/// A letter, or with `parts` > 0 the piece `part` (from 1) of one.
struct ParkedLetter {
  DeadLetter letter;
  int64_t time = 0;  // milliseconds since the epoch
  uint32_t part = 0;
  uint32_t parts = 0;

  /// Of letters in parts only the first is counted and named.
  bool begins() const { return parts == 0 || part == 1; }
};

struct LetterRange {
  int64_t first = 0;
  int64_t last = 0;  // included
  bool operator==(const LetterRange&) const = default;
};

/// An entry of the ledger; it is about letters of its own partition.
struct Resolution {
  enum class Action { kReplayed, kDropped };
  std::string index;
  Action action = Action::kReplayed;
  std::vector<LetterRange> letters;
  std::string who;
  std::string why;
  int64_t time = 0;
  bool operator==(const Resolution&) const = default;
};

using ParkedMessage = std::variant<ParkedLetter, Resolution>;

/// kInvalidArgument: neither, in words for a person.
Result<ParkedMessage> DecodeParked(std::string_view bytes);
std::string EncodeResolution(const Resolution& resolution);

}  // namespace fensi::consumer
