// Sends requests to the owners of an index's rows: writes to its topic of requests, in the partition of the row.
//
// As EventProducer: idempotent, acknowledged by all replicas, bounded, murmur2 of the row; the next Send or Flush
// returns the error of an accepted request, once. Thread-safe. Requests that were not flushed may be lost: store the
// position of a scan only after a Flush. Sending a request twice does no harm.
#pragma once

#include <memory>
#include <string>

#include "consumer/codec/request.h"
#include "consumer/kafka/producer/event_producer.h"

namespace fensi::consumer {

/// kConfiguration: requests of some rows do not fit into the topic.
Status CheckRequestBytes(const std::string& topic, int64_t max_message_bytes);

class RequestProducer {
 public:
  /// Blocks until both topics are known. kNotFound: one of them is missing. kConfiguration: their partition counts
  /// differ, so a request would reach an owner that does not own its row; or the topic of requests accepts no messages
  /// of kLeastRequestBytes. `go_on`: as that of EventProducer.
  static Result<std::unique_ptr<RequestProducer>> Create(const EventProducerOptions& options, const std::string& stream,
                                                         const std::string& requests,
                                                         EventProducer::GoOn go_on = nullptr);

  /// Blocks while the queue is full. kInvalidArgument: see CheckRequest. kRejected: larger than the topic accepts.
  Status Send(const Request& request);
  /// Blocks until everything sent before is acknowledged or has failed.
  Status Flush() { return producer_->Flush(); }
  int64_t unacknowledged() const { return producer_->unacknowledged(); }
  /// Maximum size of a request besides kRequestRoom.
  size_t most_bytes() const { return most_bytes_; }

 private:
  RequestProducer(std::unique_ptr<EventProducer> producer, std::string topic, size_t most_bytes)
      : producer_(std::move(producer)), topic_(std::move(topic)), most_bytes_(most_bytes) {}

  const std::unique_ptr<EventProducer> producer_;
  const std::string topic_;
  const size_t most_bytes_;
};

}  // namespace fensi::consumer
