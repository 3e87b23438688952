#include "consumer/kafka/group/farewell.h"

#include <algorithm>

#include "consumer/kafka/handles.h"

namespace fensi::consumer {

Status LeaveGroup(rd_kafka_t* client, const std::string& group, Deadline deadline) {
  constexpr int kTurnMs = 50;
  const QueueHandle told(rd_kafka_queue_new(client));
  // Refused when the client has failed for good: it is in no group then.
  if (const ErrorHandle refused(rd_kafka_consumer_close_queue(client, told.get())); refused != nullptr) return {};
  while (rd_kafka_consumer_closed(client) == 0) {
    if (deadline.over())
      return Status(StatusCode::kUnavailable,
                    "the consumer of group " + group + " did not end in time; the group waits for the session timeout");
    // What was fetched meanwhile comes, too.
    const MessageHandle message(rd_kafka_consume_queue(told.get(), std::min(kTurnMs, deadline.left_ms())));
  }
  return {};
}

}  // namespace fensi::consumer
