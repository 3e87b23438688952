// Commits a group's offsets, with and without waiting. Belongs to the poll thread.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/handles.h"

namespace fensi::consumer {

class Committer {
 public:
  Committer(rd_kafka_t* client, std::string topic, PartitionQueues* queues);

  /// Sends what is done and not yet committed, unless an answer is outstanding.
  void Send();
  /// The answer to what was sent, if it has come. Never blocks.
  std::optional<Status> TakeAnswer();
  /// Send and wait for all answers.
  Status SendAndWait(std::chrono::milliseconds timeout);

 private:
  bool WaitForAnswer(int timeout_ms);
  Status LastAnswer() const;

  rd_kafka_t* const client_;
  const std::string topic_;
  PartitionQueues* const queues_;
  const QueueHandle queue_;
  int outstanding_ = 0;
  rd_kafka_resp_err_t last_error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
};

}  // namespace fensi::consumer
