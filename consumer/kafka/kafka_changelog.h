// Writes changelogs to a Kafka topic, in transactions.
//
// Each partition of the stream has a transactional id of its own. Therefore Kafka refuses the messages of a former
// owner as soon as its successor has opened its writer, even if the former owner was suspended in the middle of a call.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "consumer/changelog.h"
#include "consumer/kafka/client/refusal.h"
#include "consumer/kafka/producer/producer_config.h"

namespace fensi::consumer {

struct KafkaChangelogOptions {
  EventProducerOptions producer;
  std::string topic;
  std::string transactional_id;                 // without the partition
  std::chrono::milliseconds slice{500};         // of a call, after which the owner is asked again
  std::chrono::milliseconds pause{100};         // between two attempts
  std::chrono::milliseconds broker_wait{5000};  // for the description of the topic
};

/// The transactional id of the writers of this partition.
std::string TransactionalId(const std::string& prefix, int32_t partition);

class KafkaChangelog final : public Changelog {
 public:
  KafkaChangelog(KafkaChangelogOptions options, Clock* clock) : options_(std::move(options)), clock_(clock) {}
  std::unique_ptr<ChangelogWriter> WriterOf(int32_t partition, Calls calls) override;

 private:
  const KafkaChangelogOptions options_;
  Clock* const clock_;
};

/// Repeats what failed for a temporary reason, with a new client if the old one is broken.
///
/// A client may write only if it is the newest of its transactional id, and `owned` confirmed the assignment after the
/// client became the newest. A later owner makes a newer client. Therefore no message of an earlier owner follows a
/// message of a later owner.
class KafkaChangelogWriter final : public ChangelogWriter {
 public:
  KafkaChangelogWriter(KafkaChangelogOptions options, int32_t partition, Clock* clock, Changelog::Calls calls);
  ~KafkaChangelogWriter() override;

  Status Open() override;
  /// kNotFound: the topic was deleted. kPermission, kRejected: Kafka refuses the messages permanently.
  Status Write(std::span<const ChangelogMessage> messages) override;
  size_t most_bytes() const override { return most_bytes_; }

  /// Acts as if another writer had fenced the client.
  void BreakForTest() { rd_kafka_test_fatal_error(client_.get(), RD_KAFKA_RESP_ERR__FENCED, "test"); }

 private:
  using Attempt = std::function<Status()>;
  /// Calls `attempt` until its error is permanent, or `owned` or `go_on` ends it.
  Status Retry(const Attempt& attempt);
  Status LearnTopic();
  /// Makes a client that fences all earlier ones, unless this writer has a good one.
  Status RequireClient();
  Status WriteOnce(std::span<const ChangelogMessage> messages);
  Status Produce(const ChangelogMessage& message);
  Status Commit();
  /// Ends the open transaction, so that no reader sees its messages.
  void Abort();
  /// Repeats a call of a slice's length while its error is temporary; gives up the client if it is broken.
  Status InSlices(const char* what, const std::function<rd_kafka_error_t*()>& call);
  Status Failed(rd_kafka_resp_err_t error, const std::string& what);
  bool broken() const;
  void Tell(const std::string& trouble);
  void DropClient();

  const KafkaChangelogOptions options_;
  const std::string id_;
  Clock* const clock_;
  const Changelog::Calls calls_;
  Refusal refusal_;  // outlives the client
  std::shared_ptr<rd_kafka_t> client_;
  TopicHandle topic_;    // of the client
  bool told_ = false;    // of trouble that is not over
  bool opened_ = false;  // the client is the newest, or was
  size_t most_bytes_ = 0;
};

}  // namespace fensi::consumer
