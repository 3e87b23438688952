#include "consumer/kafka/kafka_changelog.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/client/topic_facts.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr size_t kFrameOfMessage = 1024;          // overhead of a message in its batch
constexpr int64_t kLeastLimit = 64'000;           // a topic that takes less is no changelog
constexpr int64_t kMostOfClient = 1'000'000'000;  // of librdkafka
constexpr int64_t kDefaultLimit = 1'000'000;      // if the broker does not report the topic's limit
constexpr size_t kBytesTogether = 62'000;         // a topic's limit counts for the messages that travel together
constexpr milliseconds kLongestGoodbye{2000};
constexpr int kFullQueuePollMs = 20;

}  // namespace

std::string TransactionalId(const std::string& prefix, int32_t partition) {
  return prefix + "-" + std::to_string(partition);
}

std::unique_ptr<ChangelogWriter> KafkaChangelog::WriterOf(int32_t partition, Calls calls) {
  return std::make_unique<KafkaChangelogWriter>(options_, partition, clock_, std::move(calls));
}

KafkaChangelogWriter::KafkaChangelogWriter(KafkaChangelogOptions options, int32_t partition, Clock* clock,
                                           Changelog::Calls calls)
    : options_(std::move(options)),
      id_(TransactionalId(options_.transactional_id, partition)),
      clock_(clock),
      calls_(std::move(calls)) {}

KafkaChangelogWriter::~KafkaChangelogWriter() { DropClient(); }

Status KafkaChangelogWriter::Open() {
  return Retry([this] {
    FENSI_RETURN_IF_ERROR(LearnTopic());
    return RequireClient();
  });
}

Status KafkaChangelogWriter::Write(std::span<const ChangelogMessage> messages) {
  if (messages.empty()) return {};
  return Retry([&] {
    FENSI_RETURN_IF_ERROR(RequireClient());
    const Status written = WriteOnce(messages);
    if (!written.ok()) Abort();
    return written;
  });
}

Status KafkaChangelogWriter::Retry(const Attempt& attempt) {
  for (;;) {
    FENSI_RETURN_IF_ERROR(calls_.owned());
    const Status status = attempt();
    if (status.code() != StatusCode::kUnavailable) {
      if (std::exchange(told_, false)) calls_.tell("");
      return status;
    }
    FENSI_RETURN_IF_ERROR(calls_.go_on());
    Tell("fensi cannot write to the changelog topic " + options_.topic + " at " + options_.producer.cluster.brokers +
         ", and tries again: " + status.message());
    clock_->Sleep(options_.pause);
  }
}

void KafkaChangelogWriter::Tell(const std::string& trouble) {
  told_ = true;
  calls_.tell(trouble);
}

/// The topic must be there before the first message, because the producer's own question for it may create it.
Status KafkaChangelogWriter::LearnTopic() {
  if (most_bytes_ > 0) return {};
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<TopicAdmin> admin,
                         TopicAdmin::Create(options_.producer.cluster, options_.broker_wait));
  Result<TopicDescription> found = admin->Describe(options_.topic);
  if (found.status().code() == StatusCode::kPermission) {
    FENSI_RETURN_IF_ERROR(admin->Partitions(options_.topic).status());
    found = TopicDescription();
  }
  FENSI_RETURN_IF_ERROR(found.status());
  const int64_t most = std::min(kMostOfClient, found->max_message_bytes.value_or(kDefaultLimit));
  if (most < kLeastLimit) return MessagesTooSmall(options_.topic, most, "changelog message", kLeastLimit);
  most_bytes_ = static_cast<size_t>(most) - kFrameOfMessage;
  return {};
}

Status KafkaChangelogWriter::RequireClient() {
  if (!broken()) return {};
  DropClient();
  EventProducerOptions options = options_.producer;
  options.max_queued_bytes = std::max(options.max_queued_bytes, most_bytes_ + kFrameOfMessage);
  const Defaults defaults = {{"compression.type", "lz4"}, {"batch.size", std::to_string(kBytesTogether)}};
  FENSI_ASSIGN_OR_RETURN(ConfHandle config,
                         ProducerConfig(options, defaults,
                                        {{"transactional.id", id_},
                                         {"message.max.bytes", std::to_string(most_bytes_ + kFrameOfMessage)}}));
  rd_kafka_conf_set_opaque(config.get(), this);
  rd_kafka_conf_set_error_cb(config.get(), [](rd_kafka_t*, int error, const char* reason, void* opaque) {
    static_cast<KafkaChangelogWriter*>(opaque)->refusal_.Note(error, reason);
  });
  FENSI_ASSIGN_OR_RETURN(ClientHandle made, MakeClient(RD_KAFKA_PRODUCER, std::move(config)));
  client_ = std::move(made);
  topic_.reset(rd_kafka_topic_new(client_.get(), options_.topic.c_str(), nullptr));
  const int slice = static_cast<int>(options_.slice.count());
  const Status newest =
      InSlices("beginning to write", [&] { return rd_kafka_init_transactions(client_.get(), slice); });
  if (!newest.ok()) {
    DropClient();
    return newest;
  }
  // Only now: an owner that lost the partition before must not write, and one that loses it later is fenced.
  const Status owned = calls_.owned();
  if (!owned.ok()) DropClient();
  opened_ = owned.ok();
  return owned;
}

Status KafkaChangelogWriter::WriteOnce(std::span<const ChangelogMessage> messages) {
  const ErrorHandle begun(rd_kafka_begin_transaction(client_.get()));
  if (begun != nullptr) return Failed(rd_kafka_error_code(begun.get()), "beginning a transaction");
  for (const ChangelogMessage& message : messages) FENSI_RETURN_IF_ERROR(Produce(message));
  return Commit();
}

Status KafkaChangelogWriter::Produce(const ChangelogMessage& message) {
  for (;;) {
    const bool tombstone = !message.value;
    void* const value = tombstone ? nullptr : const_cast<char*>(message.value->data());
    const int taken =
        rd_kafka_produce(topic_.get(), RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY, value,
                         tombstone ? 0 : message.value->size(), message.key.data(), message.key.size(), nullptr);
    if (taken == 0) return {};
    const rd_kafka_resp_err_t error = rd_kafka_last_error();
    if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL) return Failed(error, "writing");
    FENSI_RETURN_IF_ERROR(calls_.go_on());
    rd_kafka_poll(client_.get(), kFullQueuePollMs);
  }
}

Status KafkaChangelogWriter::Commit() {
  const int slice = static_cast<int>(options_.slice.count());
  return InSlices("committing", [&] { return rd_kafka_commit_transaction(client_.get(), slice); });
}

void KafkaChangelogWriter::Abort() {
  if (client_ == nullptr) return;
  const int slice = static_cast<int>(options_.slice.count());
  const Status aborted = InSlices("aborting", [&] { return rd_kafka_abort_transaction(client_.get(), slice); });
  // A new client ends the transaction of the old one.
  if (!aborted.ok()) DropClient();
}

Status KafkaChangelogWriter::InSlices(const char* what, const std::function<rd_kafka_error_t*()>& call) {
  for (;;) {
    const ErrorHandle error(call());
    if (client_ != nullptr) rd_kafka_poll(client_.get(), 0);
    if (error == nullptr) return {};
    const rd_kafka_resp_err_t code = rd_kafka_error_code(error.get());
    const Status failed = Failed(code, what);
    if (!rd_kafka_error_is_retriable(error.get())) return failed;
    FENSI_RETURN_IF_ERROR(calls_.go_on());
    const Status refused = refusal_.DurationRefused(options_.producer.connect_timeout);
    if (!refused.ok()) return refused;
    Tell("fensi waits for the changelog topic " + options_.topic + " at " + options_.producer.cluster.brokers + ": " +
         failed.message());
  }
}

/// A broken client, or a transaction that must be aborted, is no permanent error: another attempt follows.
Status KafkaChangelogWriter::Failed(rd_kafka_resp_err_t error, const std::string& what) {
  const Status failed =
      refusal_.Explain(KafkaStatus(error, what + " (topic " + options_.topic + ", transactional id " + id_ + ")"));
  const bool again =
      broken() || failed.code() == StatusCode::kFenced || (failed.code() == StatusCode::kInternal && opened_);
  return again ? failed.As(StatusCode::kUnavailable) : failed;
}

bool KafkaChangelogWriter::broken() const {
  return client_ == nullptr || rd_kafka_fatal_error(client_.get(), nullptr, 0) != RD_KAFKA_RESP_ERR_NO_ERROR;
}

void KafkaChangelogWriter::DropClient() {
  if (client_ == nullptr) return;
  topic_.reset();
  rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  DestroyWithin(std::move(client_), kLongestGoodbye);
  client_ = nullptr;
  opened_ = false;
}

}  // namespace fensi::consumer
