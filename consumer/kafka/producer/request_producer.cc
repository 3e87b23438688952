#include "consumer/kafka/producer/request_producer.h"

#include <algorithm>
#include <utility>

#include "consumer/codec/request.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/client/topic_facts.h"

namespace fensi::consumer {
namespace {

// The default limit of clients for a message.
constexpr int64_t kUsualBytes = 1'000'000;

}  // namespace

Status CheckRequestBytes(const std::string& topic, int64_t max_message_bytes) {
  if (max_message_bytes >= static_cast<int64_t>(kLeastRequestBytes)) return {};
  return MessagesTooSmall(topic, max_message_bytes, "request", static_cast<int64_t>(kLeastRequestBytes));
}

Result<std::unique_ptr<RequestProducer>> RequestProducer::Create(const EventProducerOptions& options,
                                                                 const std::string& stream, const std::string& requests,
                                                                 EventProducer::GoOn go_on) {
  FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<TopicAdmin> admin,
                         TopicAdmin::Create(options.cluster, options.connect_timeout));
  FENSI_ASSIGN_OR_RETURN(const int32_t changes, admin->Partitions(stream));
  FENSI_ASSIGN_OR_RETURN(const int32_t asked, admin->Partitions(requests));
  const Result<TopicDescription> described = admin->Describe(requests);
  const bool untold = described.status().code() == StatusCode::kPermission;
  if (!untold) FENSI_RETURN_IF_ERROR(described.status());
  const int64_t told = untold ? kUsualBytes : described->max_message_bytes.value_or(kUsualBytes);
  FENSI_RETURN_IF_ERROR(CheckRequestBytes(requests, told));
  FENSI_RETURN_IF_ERROR(CheckRequestPartitions(requests, asked, stream, changes));
  // The topic's limit counts for the messages that travel together. A larger message than these travels alone.
  EventProducerOptions small_batches = options;
  small_batches.cluster.properties.try_emplace("batch.size", std::to_string(kLeastRequestBytes / 2));
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<EventProducer> producer,
                         EventProducer::Create(small_batches, std::move(go_on)));
  const auto most = static_cast<size_t>(std::min(told, kUsualBytes)) - kRequestRoom;
  return std::unique_ptr<RequestProducer>(new RequestProducer(std::move(producer), requests, most));
}

Status RequestProducer::Send(const Request& request) {
  FENSI_RETURN_IF_ERROR(CheckRequest(request));
  return producer_->Send(topic_, request.row, EncodeRequest(request));
}

}  // namespace fensi::consumer
