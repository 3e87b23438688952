// Dead letters as protobuf messages (proto::DeadLetter) in a topic, keyed as the original message was.
#pragma once

#include <chrono>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/dead_letters.h"
#include "consumer/kafka/deadline.h"
#include "consumer/kafka/group/inquiry.h"
#include "consumer/kafka/producer/tracked_producer.h"
#include "consumer/kafka/topic_admin.h"

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
  TrackedProducer* producer() { return producer_.get(); }

 private:
  class Message;

  KafkaDeadLetters(const KafkaDeadLettersOptions& options, Clock* clock);
  Status Turn();
  Status FindTopic();
  Status ReplaceBroken();
  Status HandOver();
  Status Sweep();

  const KafkaDeadLettersOptions options_;
  Clock* const clock_;
  std::mutex mu_;
  std::condition_variable delivered_;
  bool topic_known_ = false;                   // guarded by mu_
  std::shared_ptr<TopicAdmin> admin_;          // guarded by mu_; until the topic is known
  Inquiry<Status> topic_question_;             // guarded by mu_
  std::optional<Deadline> believe_missing_;    // guarded by mu_
  int64_t sent_ = 0;                           // guarded by mu_; messages, ever
  std::list<Message> messages_;                // guarded by mu_; not acknowledged, in the order of their numbers
  std::unique_ptr<TrackedProducer> producer_;  // guarded by mu_; goes before the messages that listen to it
};

}  // namespace fensi::consumer
