// Whether the topic is as it must be, and whether the brokers let us read it: at the start, and again while something
// is wrong. Belongs to the poll thread and never blocks it.
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
#include "consumer/kafka/group/inquiry.h"
#include "consumer/kafka/group/outage.h"
#include "consumer/kafka/group/topic_look.h"
#include "consumer/kafka/refusal.h"

namespace fensi::consumer {

class TopicWatch {
 public:
  struct Answer {
    Status status;
    Status settings;           // kPermission: the topic can be read, and its settings cannot
    std::string retention_ms;  // as the broker has it
  };
  /// Blocks until a broker tells of the topic, or for the timeout.
  using Question = std::function<Answer(rd_kafka_t*, const std::string& topic, std::chrono::milliseconds timeout)>;

  /// `outage` must outlive it; what has no answer is shown there. `question`: another than to the brokers, for tests.
  TopicWatch(std::string topic, Clock* clock, Outage* outage, Question question = {});

  /// Before all others. `timeout`: the client's, of a request.
  void Start(std::shared_ptr<rd_kafka_t> client, std::chrono::milliseconds timeout);
  /// After all others: gives the client back.
  void Stop() { client_.reset(); }

  /// At the start: ok, or why the topic cannot be read; absent while that is not known. Ask between.
  void Ask();
  std::optional<Status> TakeVerdict();
  /// Later, at each turn: ok, or why the topic cannot be read any more.
  Status Look();
  /// What an error callback is told.
  void NoteError(int error, const char* reason) { refusal_.Note(error, reason); }
  /// How long the topic keeps messages, as told last; absent: for ever, or nobody has told. Any thread.
  std::optional<int64_t> retention_ms() const;
  void SawHole() { look_.SawHole(); }
  /// A broker has answered as it should.
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
