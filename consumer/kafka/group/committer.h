// Commits a group's offsets, with and without waiting. Used by the poll thread.
//
// Checks the identity of the logs before each commit: a commit in a topic of the same name would hide that the old
// topic was deleted. A topic that is deleted and created again between this check and the commit goes unnoticed.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/group/log_identity.h"
#include "consumer/kafka/group/partition_opener.h"
#include "consumer/kafka/group/partition_queues.h"

namespace fensi::consumer {

class Committer {
 public:
  /// All arguments outlive it.
  Committer(rd_kafka_t* client, Topics topics, std::string group, PartitionQueues* queues, LogIdentity* identity);

  /// Starts to commit what is done and not committed yet, or needs a commit, if it is time (`due`); continues what was
  /// started. Never blocks. Not ok: the logs cannot be checked, or are others, and nothing was committed.
  Status Turn(bool due);
  /// Returns the result of the last commit, once all answers have arrived. Never blocks.
  std::optional<Status> TakeAnswer();
  /// The assignment has changed: what was started and not sent is dropped.
  void Forget() { identity_->Forget(); }
  /// Commits what is done and waits for all answers.
  Status SendAndWait(std::chrono::milliseconds timeout);

 private:
  std::vector<PartitionOffset> Offsets() const;
  void Send();
  void NoteError(rd_kafka_resp_err_t error);
  bool WaitForAnswer(int timeout_ms);
  /// False: some answers are still missing.
  bool WaitForAnswers(const Deadline& deadline);
  Status LastAnswer() const;

  rd_kafka_t* const client_;
  const Topics topics_;
  const std::string group_;
  PartitionQueues* const queues_;
  LogIdentity* const identity_;
  const QueueHandle queue_;
  int outstanding_ = 0;                                     // missing answers, of at most one request per topic
  rd_kafka_resp_err_t error_ = RD_KAFKA_RESP_ERR_NO_ERROR;  // of the last commit
};

}  // namespace fensi::consumer
