#include "consumer/kafka/request_producer.h"

#include "consumer/codec/request_codec.h"
#include "consumer/kafka/topic_admin.h"

namespace fensi::consumer {

Result<std::unique_ptr<RequestProducer>> RequestProducer::Create(const EventProducerOptions& options,
                                                                 const std::string& stream,
                                                                 const std::string& requests) {
  const Result<std::unique_ptr<TopicAdmin>> admin = TopicAdmin::Create(options.cluster, options.connect_timeout);
  FENSI_RETURN_IF_ERROR(admin.status());
  const Result<int32_t> changes = (*admin)->Partitions(stream);
  FENSI_RETURN_IF_ERROR(changes.status());
  const Result<int32_t> asked = (*admin)->Partitions(requests);
  FENSI_RETURN_IF_ERROR(asked.status());
  if (*changes != *asked) {
    return Status(StatusCode::kConfiguration, "topic " + requests + " has " + std::to_string(*asked) +
                                                  " partitions, and " + stream + " " + std::to_string(*changes) +
                                                  ": a request would reach who does not own its row. Delete topic " +
                                                  requests + " and make it again (fensi create)");
  }
  Result<std::unique_ptr<EventProducer>> producer = EventProducer::Create(options);
  FENSI_RETURN_IF_ERROR(producer.status());
  return std::unique_ptr<RequestProducer>(new RequestProducer(std::move(*producer), requests));
}

Status RequestProducer::Send(const Request& request) {
  FENSI_RETURN_IF_ERROR(CheckRequest(request));
  return producer_->Send(topic_, request.row, EncodeRequest(request));
}

}  // namespace fensi::consumer
