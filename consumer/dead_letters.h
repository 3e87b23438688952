// Where events go that cannot be applied: nothing is dropped in silence.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace fensi::consumer {

struct DeadLetter {
  std::string index;
  std::string reason;  // one sentence for a person
  std::string topic;   // or the path of a recorded file
  int32_t partition = 0;
  int64_t offset = 0;  // or the line, from 1
  std::string row;
  std::string original_key;
  std::string original;   // the message's value, byte for byte; of a mutation in parts the whole event
  std::string kind = {};  // undecodable, unmappable, …: the words of fensi_dead_letters_total; empty: not said
  uint32_t replays = 0;   // how often the message had been sent again
};

/// Thread-safe. Send keeps a copy; Flush blocks until every letter sent before is durable, and is called before the
/// offset of a batch is given to Done. Implementations: a Kafka topic, a file of JSON lines, memory (tests).
class DeadLetterSink {
 public:
  virtual ~DeadLetterSink() = default;
  virtual Status Send(const DeadLetter& letter) = 0;
  virtual Status Flush() = 0;
  /// kUnavailable passes by itself: what was sent is kept, Flush again.
  virtual bool recovers() const { return false; }
};

}  // namespace fensi::consumer
