// Asks the owners of an index's rows: writes to its topic of requests, in the partition that belongs to the row's
// owner.
//
// As EventProducer: idempotent, acknowledged by all replicas, bounded, murmur2 of the row; an error of a request that
// was taken is told by the next Send or Flush, once. Thread-safe. What was sent and not flushed may be lost: a place in
// a scan is kept only behind a Flush. A request that is sent twice does no harm.
#pragma once

#include <memory>
#include <string>

#include "consumer/codec/request.h"
#include "consumer/kafka/event_producer.h"

namespace fensi::consumer {

/// kConfiguration: requests of some rows do not fit into the topic.
Status CheckRequestBytes(const std::string& topic, int64_t max_message_bytes);

class RequestProducer {
 public:
  /// Blocks until both topics are known. kNotFound: one of them is missing. kConfiguration: they have not the same
  /// partitions, so that a request would reach who does not own its row; or the topic of requests takes no messages of
  /// kLeastRequestBytes.
  /// `go_on`: as that of EventProducer.
  static Result<std::unique_ptr<RequestProducer>> Create(const EventProducerOptions& options, const std::string& stream,
                                                         const std::string& requests,
                                                         EventProducer::GoOn go_on = nullptr);

  /// Blocks while the queue is full. kInvalidArgument: see CheckRequest. kRejected: larger than the topic takes.
  Status Send(const Request& request);
  /// Blocks until everything sent before is acknowledged or has failed.
  Status Flush() { return producer_->Flush(); }
  int64_t unacknowledged() const { return producer_->unacknowledged(); }
  /// What a request may have beside kRequestRoom.
  size_t most_bytes() const { return most_bytes_; }

 private:
  RequestProducer(std::unique_ptr<EventProducer> producer, std::string topic, size_t most_bytes)
      : producer_(std::move(producer)), topic_(std::move(topic)), most_bytes_(most_bytes) {}

  const std::unique_ptr<EventProducer> producer_;
  const std::string topic_;
  const size_t most_bytes_;
};

}  // namespace fensi::consumer
