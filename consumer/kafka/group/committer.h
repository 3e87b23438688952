// Commits a group's offsets, with and without waiting. Belongs to the poll thread.
//
// Before each commit the logs are asked for their identity: a commit in a topic of the same name would hide that the
// old one was deleted. A topic that is deleted and created again between this answer and the commit goes unnoticed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/deadline.h"
#include "consumer/kafka/group/log_identity.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group/topics.h"
#include "consumer/kafka/handles.h"

namespace fensi::consumer {

class Committer {
 public:
  /// Everything outlives it.
  Committer(rd_kafka_t* client, Topics topics, PartitionQueues* queues, LogIdentity* identity);

  /// Begins to commit what is done and not yet committed, or needs a commit, if it is time (`due`); goes on with what
  /// was begun. Never blocks. Not ok: the logs cannot be asked, or are others, and nothing was committed.
  Status Turn(bool due);
  /// The answer to what was sent, if all of it has come. Never blocks.
  std::optional<Status> TakeAnswer();
  /// The assignment is another one: what was begun and not sent is not sent.
  void Forget() { identity_->Forget(); }
  /// Commits what is done and waits for all answers.
  Status SendAndWait(std::chrono::milliseconds timeout);

 private:
  std::vector<PartitionOffset> Offsets() const;
  void Send();
  void NoteError(rd_kafka_resp_err_t error);
  bool WaitForAnswer(int timeout_ms);
  /// False: some are still to come.
  bool WaitForAnswers(const Deadline& deadline);
  Status LastAnswer() const;

  rd_kafka_t* const client_;
  const Topics topics_;
  PartitionQueues* const queues_;
  LogIdentity* const identity_;
  const QueueHandle queue_;
  int outstanding_ = 0;                                     // answers, of at most one request for each topic
  rd_kafka_resp_err_t error_ = RD_KAFKA_RESP_ERR_NO_ERROR;  // of the last offsets that were sent
};

}  // namespace fensi::consumer
