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

/// A topic of dead letters takes messages of so many bytes at least.
inline constexpr size_t kLeastLetterBytes = 64'000;
/// The key of a letter's messages whose event had this key: it, or of a long one the first bytes, so that all parts of
/// the letter stand in one partition.
std::string LetterKey(std::string_view key, size_t max_bytes);
/// The values of as many messages as a letter takes, each with the letter's coordinates. With the key and what Kafka
/// adds none has more than `max_bytes`, if these are kLeastLetterBytes or more: a long reason is cut, and a long row
/// stands in the first part alone.
std::vector<std::string> EncodeDeadLetterParts(const DeadLetter& letter, int64_t time, size_t max_bytes,
                                               std::string_view key);
inline std::vector<std::string> EncodeDeadLetterParts(const DeadLetter& letter, int64_t time, size_t max_bytes) {
  return EncodeDeadLetterParts(letter, time, max_bytes, LetterKey(letter.original_key, max_bytes));
}

struct KafkaDeadLettersOptions {
  EventProducerOptions producer;
  std::string topic;
  size_t max_message_bytes = 1'000'000;  // or what the topic takes, if that is less
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
  /// never takes a letter. kConfiguration: the topic takes no messages of kLeastLetterBytes. kGap: the topic was
  /// deleted and created again since the first letter of this process, so that earlier ones are lost.
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
  /// Nothing more is asked about the topic.
  Status TakeTopic(int64_t topic_bytes) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Now that it is known what the topic takes.
  void MakeMessages() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool Open(int64_t last) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status ReplaceBroken() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status HandOver() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status Sweep() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const KafkaDeadLettersOptions options_;
  Clock* const clock_;
  Mutex mu_;
  Condition delivered_;
  std::optional<size_t> message_bytes_ ABSL_GUARDED_BY(mu_);  // absent: the topic is not known yet
  std::shared_ptr<TopicAdmin> admin_ ABSL_GUARDED_BY(mu_);    // until the topic is known
  Inquiry<Result<int64_t>> topic_question_ ABSL_GUARDED_BY(mu_);
  std::optional<std::chrono::milliseconds> missing_since_ ABSL_GUARDED_BY(mu_);
  mutable Mutex lost_mu_;
  std::optional<LostLog> lost_ ABSL_GUARDED_BY(lost_mu_);  // the first
  int64_t sent_ ABSL_GUARDED_BY(mu_) = 0;                  // letters, ever
  struct Waiting {
    int64_t number;
    int64_t time;
    DeadLetter letter;
  };
  std::list<Waiting> letters_ ABSL_GUARDED_BY(mu_);                 // that are no messages yet
  std::list<Message> messages_ ABSL_GUARDED_BY(mu_);                // not acknowledged, in the order of their numbers
  std::unique_ptr<TrackedProducer> producer_ ABSL_GUARDED_BY(mu_);  // goes before the messages that listen to it
};

}  // namespace fensi::consumer
