// Dead letters as protobuf messages (proto::DeadLetter) in a topic, keyed as the original message was.
#pragma once

#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "consumer/dead_letters.h"
#include "consumer/kafka/deadline.h"
#include "consumer/kafka/group/inquiry.h"
#include "consumer/kafka/topic_admin.h"
#include "consumer/kafka/tracked_producer.h"

namespace fensi::consumer {

/// The bytes of a letter, for every sink that keeps protobuf.
std::string EncodeDeadLetter(const DeadLetter& letter, int64_t time);
/// The same in as many messages as it takes: each has the letter's coordinates and at most `max_bytes`, if these leave
/// room.
std::vector<std::string> EncodeDeadLetterParts(const DeadLetter& letter, int64_t time, size_t max_bytes);

struct KafkaDeadLettersOptions {
  EventProducerOptions producer;
  std::string topic;
  size_t max_message_bytes = 1'000'000;
  std::chrono::milliseconds flush_timeout{1000};
};

/// Thread-safe. A letter is kept here until Kafka has acknowledged it, and sent again, by a new producer if need be: it
/// may be there twice, never not at all.
class KafkaDeadLetters final : public DeadLetterSink {
 public:
  static Result<std::unique_ptr<KafkaDeadLetters>> Create(const KafkaDeadLettersOptions& options, Clock* clock);
  ~KafkaDeadLetters() override;

  /// Never blocks.
  Status Send(const DeadLetter& letter) override;
  /// kUnavailable after the flush timeout: call it again. kNotFound: no such topic. kRejected, kPermission: the broker
  /// never takes a letter.
  Status Flush() override;
  bool recovers() const override { return true; }

  /// For tests.
  TrackedProducer* producer() {
    const MutexLock lock(mu_);
    return producer_.get();
  }

 private:
  class Message;

  KafkaDeadLetters(const KafkaDeadLettersOptions& options, Clock* clock);
  Status Turn() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status FindTopic() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status ReplaceBroken() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status HandOver() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status Sweep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const KafkaDeadLettersOptions options_;
  Clock* const clock_;
  Mutex mu_;
  Condition delivered_;
  bool topic_known_ ABSL_GUARDED_BY(mu_) = false;
  std::shared_ptr<TopicAdmin> admin_ ABSL_GUARDED_BY(mu_);  // until the topic is known
  Inquiry<Status> topic_question_ ABSL_GUARDED_BY(mu_);
  std::optional<std::chrono::milliseconds> missing_since_ ABSL_GUARDED_BY(mu_);
  int64_t sent_ ABSL_GUARDED_BY(mu_) = 0;                           // messages, ever
  std::list<Message> messages_ ABSL_GUARDED_BY(mu_);                // not acknowledged, in the order of their numbers
  std::unique_ptr<TrackedProducer> producer_ ABSL_GUARDED_BY(mu_);  // goes before the messages that listen to it
};

}  // namespace fensi::consumer
