// The topic to which the owners of an index write the changes of its rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/status.h"

namespace fensi::consumer {

struct ChangelogMessage {
  std::string key;
  std::optional<std::string> value;  // absent: a tombstone
};

/// Writes the changes of one partition of a stream, for one assignment of this partition. One thread at a time.
class ChangelogWriter {
 public:
  virtual ~ChangelogWriter() = default;

  /// Blocks until no earlier writer of this partition can write any more. Must succeed before the first Write, and
  /// before the owner plans its first batch.
  virtual Status Open() = 0;
  /// Blocks until all messages are durable and visible, in their order after all messages of earlier writers. After an
  /// error a reader sees all of these messages, or none.
  virtual Status Write(std::span<const ChangelogMessage> messages) = 0;
  /// Largest sum of key and value that the topic takes. Valid after Open.
  virtual size_t most_bytes() const = 0;
};

/// Makes the writers of an index. Thread-safe. Outlives its writers.
class Changelog {
 public:
  /// What a writer asks and tells its owner.
  struct Calls {
    std::function<Status()> owned;                 // before each attempt; kFenced: the partition is lost
    std::function<Status()> go_on;                 // while a writer waits; an error ends the call
    std::function<void(const std::string&)> tell;  // why nothing moves; empty: it moves again
  };

  virtual ~Changelog() = default;
  virtual std::unique_ptr<ChangelogWriter> WriterOf(int32_t partition, Calls calls) = 0;
};

}  // namespace fensi::consumer
