#include "consumer/kafka/producer/event_producer.h"

#include "consumer/codec/event_codec.h"
#include "consumer/kafka/client/topic_admin.h"

namespace fensi::consumer {
namespace {

constexpr int kPollMs = 50;

}  // namespace

Result<std::unique_ptr<EventProducer>> EventProducer::Create(const EventProducerOptions& options, GoOn go_on) {
  std::unique_ptr<EventProducer> producer(new EventProducer(options, std::move(go_on)));
  FENSI_RETURN_IF_ERROR(producer->Start());
  return producer;
}

Status EventProducer::Start() {
  FENSI_ASSIGN_OR_RETURN(ConfHandle config, ProducerConfig(options_));
  rd_kafka_conf_set_opaque(config.get(), this);
  rd_kafka_conf_set_dr_msg_cb(config.get(), [](rd_kafka_t*, const rd_kafka_message_t* message, void* opaque) {
    static_cast<EventProducer*>(opaque)->OnDelivery(*message);
  });
  // Without it the client prints its errors; those that matter fail a message.
  rd_kafka_conf_set_error_cb(config.get(), [](rd_kafka_t*, int, const char*, void*) {});
  Result<ClientHandle> client = MakeClient(RD_KAFKA_PRODUCER, std::move(config));
  if (client.ok()) client_ = std::move(*client);
  return client.status();
}

EventProducer::~EventProducer() {
  if (client_ != nullptr) rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
}

void EventProducer::OnDelivery(const rd_kafka_message_t& message) {
  if (message.err == RD_KAFKA_RESP_ERR_NO_ERROR) return;
  const std::string topic = rd_kafka_topic_name(message.rkt);
  const MutexLock lock(mu_);
  if (++failures_ == 1)
    failure_ = KafkaStatus(message.err, "writing to topic " + topic + " at " + options_.cluster.brokers);
}

Status EventProducer::TakeFailure() {
  const MutexLock lock(mu_);
  if (failures_ == 0) return {};
  const std::string count = " (" + std::to_string(failures_) + (failures_ == 1 ? " message)" : " messages)");
  Status failure = WithBrokerAction(failure_.WithSuffix(count));
  failures_ = 0;
  failure_ = Status();
  return failure;
}

/// A producer's own question for a topic would create it where the broker allows that.
Status EventProducer::CheckTopic(const std::string& topic) {
  {
    const MutexLock lock(mu_);
    if (known_topics_.contains(topic)) return {};
  }
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<TopicAdmin> admin,
                         TopicAdmin::Create(options_.cluster, options_.connect_timeout));
  FENSI_RETURN_IF_ERROR(admin->Partitions(topic).status());
  const MutexLock lock(mu_);
  known_topics_.insert(topic);
  return {};
}

Status EventProducer::Send(const std::string& topic, std::string_view key, std::string_view value) {
  FENSI_RETURN_IF_ERROR(CheckTopic(topic));
  FENSI_RETURN_IF_ERROR(TakeFailure());
  const auto deadline = std::chrono::steady_clock::now() + options_.delivery_timeout;
  for (;;) {
    const rd_kafka_resp_err_t error =
        rd_kafka_producev(client_.get(), RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                          RD_KAFKA_V_KEY(key.data(), key.size()),
                          RD_KAFKA_V_VALUE(const_cast<char*>(value.data()), value.size()), RD_KAFKA_V_END);
    const bool full = error == RD_KAFKA_RESP_ERR__QUEUE_FULL;
    rd_kafka_poll(client_.get(), full ? kPollMs : 0);
    if (!full || std::chrono::steady_clock::now() > deadline) {
      return WithBrokerAction(KafkaStatus(full ? RD_KAFKA_RESP_ERR__TIMED_OUT : error,
                                          "writing to topic " + topic + " at " + options_.cluster.brokers));
    }
    FENSI_RETURN_IF_ERROR(MayGoOn());
  }
}

Status EventProducer::SendEvent(const std::string& topic, const ChangeEvent& event) {
  return Send(topic, event.row, EncodeEvent(event));
}

Status EventProducer::Flush() {
  // Every message ends within the delivery timeout; the rest is for the client's own timers.
  const auto deadline = std::chrono::steady_clock::now() + options_.delivery_timeout + std::chrono::seconds(10);
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR__TIMED_OUT;
  while (error == RD_KAFKA_RESP_ERR__TIMED_OUT && std::chrono::steady_clock::now() < deadline) {
    FENSI_RETURN_IF_ERROR(MayGoOn());
    error = rd_kafka_flush(client_.get(), kPollMs);
  }
  FENSI_RETURN_IF_ERROR(TakeFailure());
  return WithBrokerAction(KafkaStatus(error, "waiting for acknowledgements of " + options_.cluster.brokers));
}

int64_t EventProducer::unacknowledged() const { return rd_kafka_outq_len(client_.get()); }

}  // namespace fensi::consumer
