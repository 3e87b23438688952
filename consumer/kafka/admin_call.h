// One request of librdkafka's admin interface, sent and waited for.
#pragma once

#include <chrono>
#include <string>

#include "consumer/kafka/handles.h"

namespace fensi::consumer {

/// Used once: `options` and `queue` go into the rd_kafka_… request, Wait blocks for its result. Not thread-safe.
class AdminCall {
 public:
  AdminCall(rd_kafka_t* client, rd_kafka_admin_op_t operation, std::chrono::milliseconds timeout)
      : timeout_(timeout), options_(rd_kafka_AdminOptions_new(client, operation)), queue_(rd_kafka_queue_new(client)) {
    char error[256];
    rd_kafka_AdminOptions_set_request_timeout(options_.get(), static_cast<int>(timeout.count()), error, sizeof error);
  }

  /// Otherwise the request waits for the controller, which not every cluster names.
  void SendTo(int32_t broker) { rd_kafka_AdminOptions_set_broker(options_.get(), broker, nullptr, 0); }

  rd_kafka_AdminOptions_t* options() const { return options_.get(); }
  rd_kafka_queue_t* queue() const { return queue_.get(); }

  /// The result; an error of the request as a whole becomes a Status that starts with `what`.
  Result<EventHandle> Wait(const std::string& what) {
    EventHandle event(rd_kafka_queue_poll(queue_.get(), static_cast<int>((timeout_ + kGrace).count())));
    if (event == nullptr) return KafkaStatus(RD_KAFKA_RESP_ERR__TIMED_OUT, what);
    error_ = rd_kafka_event_error(event.get());
    if (error_ != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error_, what);
    return event;
  }
  rd_kafka_resp_err_t error() const { return error_; }

 private:
  /// The client's own word about a timeout tells more than ours.
  static constexpr std::chrono::milliseconds kGrace{300};

  const std::chrono::milliseconds timeout_;
  const AdminOptionsHandle options_;
  const QueueHandle queue_;
  rd_kafka_resp_err_t error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
};

}  // namespace fensi::consumer
