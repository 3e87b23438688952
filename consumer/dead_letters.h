// Dead letters: events that could not be applied. Nothing is dropped silently.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "base/clock.h"
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
  std::string kind = {};  // undecodable, unmappable, …: kStoredLetterKindNames of the indexer; empty: not said
  uint32_t replays = 0;   // how often the message had been sent again
};

/// Stores dead letters. Thread-safe. Send keeps a copy; Flush blocks until every dead letter sent before is durable,
/// and is called before the offset of a batch is given to Done. Implementations: a Kafka topic, a file of JSON lines,
/// memory (tests).
class DeadLetterSink {
 public:
  virtual ~DeadLetterSink() = default;
  virtual Status Send(const DeadLetter& letter) = 0;
  virtual Status Flush() = 0;
  /// True if kUnavailable is temporary: the dead letters are kept, and Flush may be called again.
  virtual bool recovers() const { return false; }
};

// Retries dead letters as long as necessary, as RetryingStore does for writes.

/// Flushes a sink that recovers again until it succeeds, or until `go_on` returns an error, which is returned then.
/// Thread-safe if the wrapped sink is.
class RetryingDeadLetters final : public DeadLetterSink {
 public:
  using GoOn = std::function<Status()>;
  /// Called with the reason why nothing moves; empty when it moves again.
  using Tell = std::function<void(const std::string&)>;

  RetryingDeadLetters(DeadLetterSink* behind, Clock* clock, GoOn go_on, Tell tell)
      : behind_(behind), clock_(clock), go_on_(std::move(go_on)), tell_(std::move(tell)) {}

  Status Send(const DeadLetter& letter) override { return behind_->Send(letter); }
  Status Flush() override;

 private:
  static constexpr std::chrono::milliseconds kPause{100};

  DeadLetterSink* const behind_;
  Clock* const clock_;
  const GoOn go_on_;
  const Tell tell_;
};

}  // namespace fensi::consumer
