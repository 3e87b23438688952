// Checks whether the topic is usable, and whether the brokers let us read it: at the start, and again while something
// is wrong. Used by the poll thread and never blocks it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "consumer/kafka/client/refusal.h"
#include "consumer/kafka/group/coordinator_contact.h"
#include "consumer/kafka/group/outage.h"

namespace fensi::consumer {

// Schedules the checks of the topic. Pure; used by the poll thread.

/// Each second while something is wrong, because nothing reports that an idle broker is back. After a hole in the log,
/// which may be the beginning of compaction: once a minute, until there is an answer. Otherwise from time to time,
/// because a person may change the retention.
class TopicLook {
 public:
  static constexpr std::chrono::seconds kPause{1};
  static constexpr std::chrono::minutes kHolePause{1};
  static constexpr std::chrono::minutes kNowAndThen{10};

  void SawHole() { hole_ = true; }

  /// True if a check is due.
  bool Due(std::chrono::milliseconds now, bool trouble) {
    if (!last_whole_) last_whole_ = now;  // it was checked before
    const bool old = now - *last_whole_ >= kNowAndThen;
    if (hole_ && !unanswered_ && now - last_hole_ >= kHolePause) {
      hole_ = false;
      unanswered_ = true;
      last_hole_ = now;
    }
    if ((!trouble && !unanswered_ && !old) || now - last_ < kPause) return false;
    last_ = now;
    last_whole_ = now;
    return true;
  }

  /// True if there is a hole that no answer has explained yet.
  bool unanswered() const { return unanswered_; }
  void Answered(const Status& status) { unanswered_ = unanswered_ && !status.ok(); }

 private:
  bool hole_ = false;        // not checked yet
  bool unanswered_ = false;  // checked, no answer yet
  std::chrono::milliseconds last_hole_{-kHolePause};
  std::chrono::milliseconds last_{-kPause};
  std::optional<std::chrono::milliseconds> last_whole_;
};

// Checks whether the topic is usable.

class TopicWatch {
 public:
  struct Answer {
    Status status;
    Status settings;           // kPermission: the topic can be read, its settings cannot
    std::string retention_ms;  // as the broker reports it
  };
  /// Blocks until a broker reports about the topic, or for the timeout.
  using Question = std::function<Answer(rd_kafka_t*, const std::string& topic, std::chrono::milliseconds timeout)>;

  /// `outage` must outlive it, and gets checks without an answer. `question`: replaces the query to the brokers, for
  /// tests.
  TopicWatch(std::string topic, Clock* clock, Outage* outage, Question question = {});

  /// Call before all others. `timeout`: of a client's request.
  void Start(std::shared_ptr<rd_kafka_t> client, std::chrono::milliseconds timeout);
  /// Call after all others: releases the client.
  void Stop() { client_.reset(); }

  /// At the start: ok, or why the topic cannot be read; absent while unknown. Call Ask between.
  void Ask();
  std::optional<Status> TakeVerdict();
  /// Later, at each turn: ok, or why the topic cannot be read any more.
  Status Look();
  /// Takes the text of an error callback.
  void NoteError(int error, const char* reason) { refusal_.Note(error, reason); }
  /// How long the topic keeps messages, by the last report; absent: for ever, or unknown. Any thread.
  std::optional<int64_t> retention_ms() const;
  void SawHole() { look_.SawHole(); }
  /// A broker has given the expected answer.
  void Recovered();

 private:
  static constexpr int64_t kNoRetention = -1;

  std::optional<Answer> TakeAnswer();
  void NoteRetention(const std::string& text);
  bool Unsure(const Status& status);
  void ShowUnanswered(const Status& status);
  void ShowSettings(const Status& settings);

  const std::string topic_;
  Clock* const clock_;
  Outage* const outage_;
  const Question ask_;
  std::shared_ptr<rd_kafka_t> client_;
  std::chrono::milliseconds timeout_{0};
  std::chrono::milliseconds started_{0};
  Inquiry<Answer> question_;
  std::atomic<int64_t> retention_ms_ = kNoRetention;
  TopicLook look_;
  Refusal refusal_;
  std::optional<std::chrono::milliseconds> missing_since_;
};

}  // namespace fensi::consumer
