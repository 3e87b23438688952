// Writes dead letters as protobuf messages (proto::DeadLetter) to a topic, with the key of the original message.
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
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/group/coordinator_contact.h"
#include "consumer/kafka/producer/tracked_producer.h"

namespace fensi::consumer {

/// Minimum message size that a topic of dead letters must accept.
inline constexpr size_t kLeastLetterBytes = 64'000;
/// The key of a dead letter's messages: the event's key, or the first bytes of a long key, so that all parts of the
/// dead letter are in one partition.
std::string LetterKey(std::string_view key, size_t max_bytes);
/// Splits a dead letter into messages, each with its coordinates. With the key and Kafka's overhead none has more than
/// `max_bytes`, if these are kLeastLetterBytes or more: a long reason is cut, and a long row is only in the first part.
std::vector<std::string> EncodeDeadLetterParts(const DeadLetter& letter, int64_t time, size_t max_bytes,
                                               std::string_view key);
inline std::vector<std::string> EncodeDeadLetterParts(const DeadLetter& letter, int64_t time, size_t max_bytes) {
  return EncodeDeadLetterParts(letter, time, max_bytes, LetterKey(letter.original_key, max_bytes));
}

struct KafkaDeadLettersOptions {
  EventProducerOptions producer;
  std::string topic;
  size_t max_message_bytes = 1'000'000;  // or the topic's limit, if that is less
  std::chrono::milliseconds flush_timeout{1000};
};

/// Thread-safe. Keeps a dead letter until Kafka has acknowledged it, and sends it again, with a new producer if
/// necessary: the topic may have it twice, never not at all.
class KafkaDeadLetters final : public DeadLetterSink {
 public:
  static Result<std::unique_ptr<KafkaDeadLetters>> Create(const KafkaDeadLettersOptions& options, Clock* clock);
  ~KafkaDeadLetters() override;

  /// Never blocks.
  Status Send(const DeadLetter& letter) override;
  /// kUnavailable after the flush timeout: call it again. kNotFound: no such topic. kRejected, kPermission: the broker
  /// never accepts a dead letter. kConfiguration: the topic accepts no messages of kLeastLetterBytes. kGap: the topic
  /// was deleted and created again since the first dead letter of this process, so earlier ones are lost.
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
  TrackedProducerOptions ProducerOptions();
  Status FaultOfTopic() const;
  Status Turn() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status FindTopic() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Takes the topic's limit. No further query about the topic follows.
  Status TakeTopic(int64_t topic_bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Makes messages of the waiting dead letters, now that the topic's limit is known.
  void MakeMessages() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool Open(int64_t last) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status ReplaceBroken() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status HandOver() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status Sweep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const KafkaDeadLettersOptions options_;
  Clock* const clock_;
  Mutex mu_;
  Condition delivered_;
  std::optional<size_t> message_bytes_ ABSL_GUARDED_BY(mu_);  // absent: the limit is unknown
  std::shared_ptr<TopicAdmin> admin_ ABSL_GUARDED_BY(mu_);    // until the limit is known
  Inquiry<Result<int64_t>> topic_question_ ABSL_GUARDED_BY(mu_);
  std::optional<std::chrono::milliseconds> missing_since_ ABSL_GUARDED_BY(mu_);
  mutable Mutex lost_mu_;
  std::optional<LostLog> lost_ ABSL_GUARDED_BY(lost_mu_);  // first one
  int64_t sent_ ABSL_GUARDED_BY(mu_) = 0;                  // dead letters, since construction
  struct Waiting {
    int64_t number;
    int64_t time;
    DeadLetter letter;
  };
  std::list<Waiting> letters_ ABSL_GUARDED_BY(mu_);                 // not made into messages yet
  std::list<Message> messages_ ABSL_GUARDED_BY(mu_);                // not acknowledged, in the order of their numbers
  std::unique_ptr<TrackedProducer> producer_ ABSL_GUARDED_BY(mu_);  // destroyed before the messages, its listeners
};

}  // namespace fensi::consumer
