// Whether the logs that are read are still those that were begun.
//
// A topic that was deleted and created again has the old name and other messages, and a client that knows its old
// offsets reads on. The client shows no id of a topic (2.0.2). But Kafka deletes what a group has committed of a topic
// together with the topic: if a commit that Kafka had is gone, the log is another one. So each log that is read has a
// commit from its beginning on, and before another commit may hide that the first one is gone, Kafka is asked for it.
//
// Thread-safe but for the poll thread's part. Only Confirm and Check block.
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
#include "consumer/kafka/deadline.h"
#include "consumer/kafka/group/inquiry.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group/topics.h"

namespace fensi::consumer {

class LogIdentity {
 public:
  /// Those of the logs that the group has no commit of.
  using Answer = Result<std::vector<LogId>>;
  using Question =
      std::function<Answer(rd_kafka_t*, const std::vector<LogId>& logs, std::chrono::milliseconds timeout)>;

  /// `gone` is told of each log that is another one, on the thread that found it, and must make an end of reading it.
  /// `question`: another than to the brokers, for tests. Everything outlives it.
  LogIdentity(Topics topics, std::string group, Clock* clock, PartitionQueues* queues, std::function<void(LogId)> gone,
              Question question = {});

  /// Before all others. `timeout`: the client's, of a request.
  void Start(std::shared_ptr<rd_kafka_t> client, std::chrono::milliseconds timeout);
  /// After all others: gives the client back. Who asks later learns nothing.
  void Stop();

  // Poll thread.
  /// Asks about all logs that have a commit; while there is no answer, again now and then.
  void Ask();
  /// The answer, once: ok if all of them have it still. An answer to a question from before this thread stood still is
  /// none: the topic may have gone meanwhile.
  std::optional<Status> TakeAnswer();
  /// The assignment is another one.
  void Forget() { question_.Forget(); }

  /// Asks now. Ok: all logs that had a commit have it still.
  Status Check(std::chrono::milliseconds timeout);
  /// The same, and each log that has begun has a commit.
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

  // The poll thread's.
  Inquiry<Answer> question_;
  std::chrono::milliseconds last_turn_{0};

  mutable Mutex mu_;
  std::shared_ptr<rd_kafka_t> client_ ABSL_GUARDED_BY(mu_);
  std::chrono::milliseconds timeout_ ABSL_GUARDED_BY(mu_){0};
};

}  // namespace fensi::consumer
