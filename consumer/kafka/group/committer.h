// Commits a group's offsets, with and without waiting. Belongs to the poll thread.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "consumer/kafka/group/work_board.h"
#include "consumer/kafka/handles.h"

namespace fensi::consumer {

class Committer {
 public:
  Committer(rd_kafka_t* client, std::string topic, WorkBoard* board);

  /// Sends what is done and not yet committed, unless an answer is outstanding.
  void Send();
  /// Takes the answers that have come. Never blocks. True when one was good: the broker is there.
  bool TakeAnswers();
  /// Send and wait for all answers.
  Status SendAndWait(std::chrono::milliseconds timeout);

 private:
  bool TakeAnswer(int timeout_ms);

  rd_kafka_t* const client_;
  const std::string topic_;
  WorkBoard* const board_;
  const QueueHandle queue_;
  int outstanding_ = 0;
  rd_kafka_resp_err_t last_error_ = RD_KAFKA_RESP_ERR_NO_ERROR;
};

}  // namespace fensi::consumer
