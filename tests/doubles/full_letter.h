// A dead letter in which every field says something, and whose original is no text.
#pragma once

#include <string>

#include "consumer/dead_letters.h"

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

}  // namespace fensi::consumer
