// A dead letter in which every field says something, and whose original is no text; and letters in one message.
#pragma once

#include <string>

#include "consumer/dead_letters.h"
#include "consumer/kafka/kafka_dead_letters.h"

namespace fensi::consumer {

inline DeadLetter FullLetter() {
  return {.index = "inverse",
          .reason = "because",
          .topic = "t.changes",
          .partition = 3,
          .offset = 301,
          .row = "r",
          .original_key = "key",
          .original = std::string("\x00original", 9)};
}

/// Of a letter that fits into one message.
inline std::string EncodeDeadLetter(const DeadLetter& letter, int64_t time) {
  return EncodeDeadLetterParts(letter, time, 1'000'000).front();
}

}  // namespace fensi::consumer
