#include "consumer/kafka/producer/tracked_producer.h"

namespace fensi::consumer {
namespace {

constexpr int kPollMs = 20;
constexpr std::chrono::milliseconds kFullPause{1};

}  // namespace

Result<std::unique_ptr<TrackedProducer>> TrackedProducer::Create(const TrackedProducerOptions& options) {
  std::unique_ptr<TrackedProducer> producer(new TrackedProducer(options));
  FENSI_RETURN_IF_ERROR(producer->Start());
  return producer;
}

Status TrackedProducer::Start() {
  Result<ConfHandle> config = ProducerConfig(options_.producer, {{"compression.type", options_.compression}},
                                             {{"message.max.bytes", std::to_string(options_.max_message_bytes)}});
  if (!config.ok()) return config.status();
  rd_kafka_conf_set_dr_msg_cb(config->get(), [](rd_kafka_t*, const rd_kafka_message_t* message, void*) {
    auto* listener = static_cast<DeliveryListener*>(message->_private);
    const char* topic = rd_kafka_topic_name(message->rkt);
    listener->Delivered(message->err == RD_KAFKA_RESP_ERR_NO_ERROR
                            ? Status()
                            : KafkaStatus(message->err, std::string("writing to topic ") + topic));
  });
  rd_kafka_conf_set_error_cb(config->get(), [](rd_kafka_t*, int, const char*, void*) {});
  Result<ClientHandle> client = MakeClient(RD_KAFKA_PRODUCER, std::move(*config));
  if (!client.ok()) return client.status();
  client_ = std::move(*client);
  poller_ = std::thread([this] {
    while (!stopping_) rd_kafka_poll(client_.get(), kPollMs);
  });
  return {};
}

TrackedProducer::~TrackedProducer() {
  stopping_ = true;
  if (poller_.joinable()) poller_.join();
  if (client_ == nullptr) return;
  rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  while (rd_kafka_outq_len(client_.get()) > 0) rd_kafka_poll(client_.get(), kPollMs);
  topics_.clear();  // before the client
}

std::string TrackedProducer::fatal() const {
  char reason[512] = "";
  if (rd_kafka_fatal_error(client_.get(), reason, sizeof reason) == RD_KAFKA_RESP_ERR_NO_ERROR) return "";
  return reason;
}

TrackedProducer::Topic TrackedProducer::OpenTopic(const std::string& name) {
  const std::lock_guard lock(mu_);
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
    if (!go_on()) return Status(StatusCode::kCancelled, "the broker does not take messages fast enough");
    std::this_thread::sleep_for(kFullPause);
  }
}

}  // namespace fensi::consumer
