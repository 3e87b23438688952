// Checks whether the logs that are read are still the logs that were opened.
//
// A topic that was deleted and created again has the old name and other messages, and a client continues to read at its
// old offsets. The client does not show a topic's id (2.0.2). But Kafka deletes a group's commits of a topic together
// with the topic: if a commit is gone, the log is another one. So each log that is read has a commit from its beginning
// on, and Kafka is asked for it before another commit may hide that the first one is gone.
//
// Thread-safe except for the poll thread's part. Only Confirm and Check block.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/group/coordinator_contact.h"
#include "consumer/kafka/group/partition_opener.h"
#include "consumer/kafka/group/partition_queues.h"

namespace fensi::consumer {

class LogIdentity {
 public:
  /// The logs without a commit of the group.
  using Answer = Result<std::vector<LogId>>;
  using Question =
      std::function<Answer(rd_kafka_t*, const std::vector<LogId>& logs, std::chrono::milliseconds timeout)>;

  /// `gone` is called for each log that is another one, on the thread that found it, and must end its reading.
  /// `question`: replaces the query to the brokers, for tests. All arguments outlive it.
  LogIdentity(Topics topics, std::string group, Clock* clock, PartitionQueues* queues, std::function<void(LogId)> gone,
              Question question = {});

  /// Call before all others. `timeout`: of a client's request.
  void Start(std::shared_ptr<rd_kafka_t> client, std::chrono::milliseconds timeout);
  /// Call after all others: releases the client. Later calls get no answer.
  void Stop();

  // For the poll thread.
  /// Queries all logs that have a commit; repeats the query from time to time while there is no answer.
  void Ask();
  /// Returns the answer once: ok if all logs still have their commit. Drops the answer to a query from before this
  /// thread stood still: the topic may have been deleted meanwhile.
  std::optional<Status> TakeAnswer();
  /// The assignment has changed.
  void Forget() { question_.Forget(); }

  /// Queries now. Ok: all logs that had a commit still have it. kUnavailable: no answer, or one that makes no sense.
  Status Check(std::chrono::milliseconds timeout);
  /// As Check, and each log that has begun has a commit.
  Status Confirm(std::chrono::milliseconds timeout);

 private:
  Status CheckLogs(const std::vector<LogId>& logs, std::chrono::milliseconds timeout);
  Status Judge(const Answer& answer) const;

  const Topics topics_;
  const std::string group_;
  Clock* const clock_;
  PartitionQueues* const queues_;
  const std::function<void(LogId)> gone_;
  const Question ask_;

  // Used by the poll thread.
  Inquiry<Answer> question_;
  std::chrono::milliseconds last_turn_{0};

  mutable Mutex mu_;
  std::shared_ptr<rd_kafka_t> client_ ABSL_GUARDED_BY(mu_);
  std::chrono::milliseconds timeout_ ABSL_GUARDED_BY(mu_){0};
};

}  // namespace fensi::consumer
