#include "consumer/kafka/producer/partitioned_producer.h"

#include "consumer/kafka/client/replays.h"

namespace fensi::consumer {
namespace {

constexpr int kWaitMs = 50;
constexpr char kBatchBytes[] = "60000";

void OnDelivery(rd_kafka_t*, const rd_kafka_message_t* message, void*) {
  auto* const placing = static_cast<Placing*>(message->_private);
  placing->offset = message->offset;
  placing->status = KafkaStatus(message->err, std::string("writing to topic ") + rd_kafka_topic_name(message->rkt));
}

}  // namespace

Result<std::unique_ptr<PartitionedProducer>> PartitionedProducer::Create(const EventProducerOptions& options) {
  std::unique_ptr<PartitionedProducer> producer(new PartitionedProducer(options));
  FENSI_RETURN_IF_ERROR(producer->Start());
  return producer;
}

Status PartitionedProducer::Start() {
  // How large a message may be is the topic's to say. Its limit counts for the messages that travel together; a larger
  // message than these travels alone.
  Result<ConfHandle> config =
      ProducerConfig(options_, {{"message.max.bytes", "100000000"}, {"batch.size", kBatchBytes}});
  if (!config.ok()) return config.status();
  rd_kafka_conf_set_dr_msg_cb(config->get(), OnDelivery);
  // Without it the client prints its errors; those that matter fail a message.
  rd_kafka_conf_set_error_cb(config->get(), [](rd_kafka_t*, int, const char*, void*) {});
  Result<ClientHandle> client = MakeClient(RD_KAFKA_PRODUCER, std::move(*config));
  if (client.ok()) client_ = std::move(*client);
  return client.status();
}

PartitionedProducer::~PartitionedProducer() {
  if (client_ != nullptr) rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
}

rd_kafka_resp_err_t PartitionedProducer::Hand(const std::string& topic, const PartitionedMessage& message,
                                              Placing* placing) {
  rd_kafka_headers_t* headers = nullptr;
  if (message.replays > 0) {
    headers = rd_kafka_headers_new(1);
    rd_kafka_header_add(headers, kReplaysHeader, -1, std::to_string(message.replays).c_str(), -1);
  }
  const rd_kafka_resp_err_t error = rd_kafka_producev(
      client_.get(), RD_KAFKA_V_TOPIC(topic.c_str()), RD_KAFKA_V_PARTITION(message.partition),
      RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_KEY(message.key.data(), message.key.size()),
      RD_KAFKA_V_VALUE(const_cast<char*>(message.value.data()), message.value.size()), RD_KAFKA_V_HEADERS(headers),
      RD_KAFKA_V_OPAQUE(placing), RD_KAFKA_V_END);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR && headers != nullptr) rd_kafka_headers_destroy(headers);
  return error;
}

Result<std::vector<Placing>> PartitionedProducer::WriteAll(const std::string& topic,
                                                           const std::vector<PartitionedMessage>& messages) {
  std::vector<Placing> placings(messages.size());
  for (size_t i = 0; i < messages.size();) {
    const rd_kafka_resp_err_t error = Hand(topic, messages[i], &placings[i]);
    const bool full = error == RD_KAFKA_RESP_ERR__QUEUE_FULL;
    rd_kafka_poll(client_.get(), full ? kWaitMs : 0);
    if (full) continue;  // what is under way ends within the delivery timeout
    placings[i].status = KafkaStatus(error, "writing to topic " + topic);
    ++i;
  }
  // Listeners point into `placings`: none may be left.
  while (rd_kafka_outq_len(client_.get()) > 0) rd_kafka_poll(client_.get(), kWaitMs);
  return placings;
}

}  // namespace fensi::consumer
