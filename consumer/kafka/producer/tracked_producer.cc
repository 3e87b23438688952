#include "consumer/kafka/producer/tracked_producer.h"

#include <algorithm>
#include <new>
#include <optional>

namespace fensi::consumer {
namespace {

constexpr int kDeliveryPollMs = 20;
constexpr std::chrono::milliseconds kFullPause{1};

Status OutcomeOf(const rd_kafka_message_t& message, Refusal* refusal) {
  if (message.err == RD_KAFKA_RESP_ERR_NO_ERROR) {
    refusal->Over();
    return {};
  }
  return refusal->Explain(
      KafkaStatus(message.err, std::string("writing to topic ") + rd_kafka_topic_name(message.rkt)));
}

}  // namespace

Result<std::unique_ptr<TrackedProducer>> TrackedProducer::Create(const TrackedProducerOptions& options) {
  std::unique_ptr<TrackedProducer> producer(new TrackedProducer(options));
  FENSI_RETURN_IF_ERROR(producer->Start());
  return producer;
}

Status TrackedProducer::Start() {
  EventProducerOptions options = options_.producer;
  // The client would never take a message that is larger than its queue.
  options.max_queued_bytes = std::max(options.max_queued_bytes, options_.max_message_bytes);
  FENSI_ASSIGN_OR_RETURN(ConfHandle config,
                         ProducerConfig(options, {{"compression.type", options_.compression}},
                                        {{"message.max.bytes", std::to_string(options_.max_message_bytes)}}));
  rd_kafka_conf_set_opaque(config.get(), this);
  rd_kafka_conf_set_dr_msg_cb(config.get(), [](rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
    static_cast<TrackedProducer*>(opaque)->Tell(*message);
  });
  rd_kafka_conf_set_error_cb(config.get(), [](rd_kafka_t*, int error, const char* reason, void* opaque) {
    static_cast<TrackedProducer*>(opaque)->refusal_.Note(error, reason);
  });
  FENSI_ASSIGN_OR_RETURN(client_, MakeClient(RD_KAFKA_PRODUCER, std::move(config)));
  poller_ = std::thread([this] {
    while (!stopping_) rd_kafka_poll(client_.get(), kDeliveryPollMs);
  });
  return {};
}

/// The caller is C, through which no exception may pass.
void TrackedProducer::Tell(const rd_kafka_message_t& message) {
  auto* listener = static_cast<DeliveryListener*>(message._private);
  try {
    NoteOffset(message);
    listener->Delivered(OutcomeOf(message, &refusal_));
  } catch (const std::bad_alloc&) {
    listener->Delivered(OutOfMemory());
  }
}

/// The client does not report the offset of a repetition that the broker had already.
void TrackedProducer::NoteOffset(const rd_kafka_message_t& message) {
  if (message.err != RD_KAFKA_RESP_ERR_NO_ERROR || message.offset < 0) return;
  const char* topic = rd_kafka_topic_name(message.rkt);
  std::optional<LostLog> lost;
  {
    const MutexLock lock(mu_);
    const auto known = delivered_.find(std::string_view(topic));
    auto& offsets = known == delivered_.end() ? delivered_[topic] : known->second;
    const auto [newest, first] = offsets.try_emplace(message.partition, message.offset);
    if (!first && message.offset < newest->second) {
      lost = LostLog{topic, message.partition, newest->second, message.offset};
    }
    newest->second = message.offset;
  }
  if (lost) options_.lost_log(*lost);
}

std::string LostLogText(const LostLog& lost) {
  return "topic " + lost.topic + " partition " + std::to_string(lost.partition) + ": offset " +
         std::to_string(lost.now) + " follows offset " + std::to_string(lost.before) +
         ". The topic was deleted and created again, or its log was cut. Its messages are lost";
}

TrackedProducer::~TrackedProducer() {
  stopping_ = true;
  if (poller_.joinable()) poller_.join();
  if (client_ == nullptr) return;
  rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  while (rd_kafka_outq_len(client_.get()) > 0) rd_kafka_poll(client_.get(), kDeliveryPollMs);
  topics_.clear();  // before the client
}

std::string TrackedProducer::fatal() const {
  char reason[512] = "";
  if (rd_kafka_fatal_error(client_.get(), reason, sizeof reason) == RD_KAFKA_RESP_ERR_NO_ERROR) return "";
  return reason;
}

TrackedProducer::Topic TrackedProducer::OpenTopic(const std::string& name) {
  const MutexLock lock(mu_);
  TopicHandle& topic = topics_[name];
  if (topic == nullptr) topic.reset(rd_kafka_topic_new(client_.get(), name.c_str(), nullptr));
  return topic.get();
}

Status TrackedProducer::Send(Topic topic, std::string_view key, std::string_view value, DeliveryListener* listener,
                             const std::function<bool()>& go_on) {
  for (;;) {
    const int taken = rd_kafka_produce(topic, RD_KAFKA_PARTITION_UA, RD_KAFKA_MSG_F_COPY,
                                       const_cast<char*>(value.data()), value.size(), key.data(), key.size(), listener);
    if (taken == 0) return {};
    const rd_kafka_resp_err_t error = rd_kafka_last_error();
    if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      return KafkaStatus(error, std::string("writing to topic ") + rd_kafka_topic_name(topic));
    }
    if (!go_on()) return Status(StatusCode::kCancelled, "fensi stopped before the broker took the message");
    std::this_thread::sleep_for(kFullPause);
  }
}

Status TrackedProducer::SendTo(Topic topic, int32_t partition, std::string_view value, DeliveryListener* listener) {
  const int taken = rd_kafka_produce(topic, partition, RD_KAFKA_MSG_F_COPY, const_cast<char*>(value.data()),
                                     value.size(), nullptr, 0, listener);
  return taken == 0 ? Status()
                    : KafkaStatus(rd_kafka_last_error(), std::string("writing to topic ") + rd_kafka_topic_name(topic));
}

}  // namespace fensi::consumer
